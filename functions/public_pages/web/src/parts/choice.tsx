// A field with a list of values. The reader's choice stays when the view is drawn again.
export function Choice({ name, label, values, chosen }: {
  name: string; label: string; values: readonly (readonly [value: string, label: string])[]; chosen: string;
}) {
  return (
    <label>{label}
      <select name={name}>
        {values.map(([value, words]) => <option key={value} value={value} selected={value === chosen}>{words}</option>)}
      </select>
    </label>
  );
}
