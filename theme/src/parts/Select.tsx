import { type Ref, useId } from 'react'

interface SelectProps<Value extends string> {
  readonly label: string
  readonly name?: string
  readonly autoComplete?: string
  readonly value: Value
  readonly choices: readonly (readonly [Value, string])[]
  readonly onChange: (value: Value) => void
  readonly help?: string | undefined
  /** The help text says why. */
  readonly isDisabled?: boolean
  readonly inputRef?: Ref<HTMLSelectElement>
  readonly onBlur?: () => void
}

/** A choice among a few values. Uses the browser's own list, which suits every device. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { label, name, autoComplete, value, choices, onChange, help, isDisabled = false } = props
  const { inputRef, onBlur } = props
  const id = useId()
  const textId = `${id}-text`
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        name={name}
        autoComplete={autoComplete}
        ref={inputRef}
        value={value}
        disabled={isDisabled}
        aria-describedby={help === undefined ? undefined : textId}
        onChange={(event) => onChange(event.target.value as Value)}
        onBlur={onBlur}
      >
        {choices.map(([choice, text]) => (
          <option key={choice} value={choice}>
            {text}
          </option>
        ))}
      </select>
      {help !== undefined && (
        <p id={textId} className="field-help">
          {help}
        </p>
      )}
    </div>
  )
}
