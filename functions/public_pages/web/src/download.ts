// Hands a file to the reader that was made in the page.
const SHORT_WHILE_MS = 10_000;

export function saveFile(name: string, content: string | Blob, type: string): void {
  const address = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type: `${type};charset=utf-8` }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), SHORT_WHILE_MS);
}
