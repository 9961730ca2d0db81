// The picture of a network as a file, with the colours that it has on the screen.
import { saveFile } from "../download";

const DRAWN = ["fill", "stroke", "stroke-width", "opacity", "font-size", "font-family", "font-weight", "paint-order"];

function alone(picture: SVGSVGElement): SVGSVGElement {
  const copy = picture.cloneNode(true) as SVGSVGElement;
  const originals = picture.querySelectorAll<SVGElement>("*");
  copy.querySelectorAll<SVGElement>("*").forEach((element, at) => {
    const original = originals[at];
    if (!original) return;
    const style = getComputedStyle(original);
    for (const name of DRAWN) element.setAttribute(name, style.getPropertyValue(name));
    element.removeAttribute("class");
  });
  const ground = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  ground.setAttribute("width", "100%");
  ground.setAttribute("height", "100%");
  ground.setAttribute("fill", getComputedStyle(document.documentElement).backgroundColor);
  copy.prepend(ground);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", String(picture.clientWidth));
  copy.setAttribute("height", String(picture.clientHeight));
  for (const name of ["class", "role", "tabindex", "aria-label", "aria-describedby", "aria-roledescription"]) copy.removeAttribute(name);
  return copy;
}

function svgBlob(picture: SVGSVGElement): Blob {
  return new Blob([new XMLSerializer().serializeToString(alone(picture))], { type: "image/svg+xml" });
}

export function saveSvg(picture: SVGSVGElement): void {
  saveFile("citation-network.svg", svgBlob(picture), "image/svg+xml");
}

/** Twice as many pixels as on the screen. */
export async function savePng(picture: SVGSVGElement): Promise<void> {
  const address = URL.createObjectURL(svgBlob(picture));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = picture.clientWidth * 2;
    canvas.height = picture.clientHeight * 2;
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
    if (blob) saveFile("citation-network.png", blob, "image/png");
  } finally {
    URL.revokeObjectURL(address);
  }
}
