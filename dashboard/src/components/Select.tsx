import { useId } from 'react'

interface SelectProps<Value extends string> {
  readonly label: string
  readonly value: Value
  readonly choices: readonly (readonly [Value, string])[]
  readonly onChange: (value: Value) => void
}

/** One of a few. The browser's own list: it suits every device, and costs nothing. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { label, value, choices, onChange } = props
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onChange(event.target.value as Value)}>
        {choices.map(([choice, text]) => (
          <option key={choice} value={choice}>
            {text}
          </option>
        ))}
      </select>
    </div>
  )
}
