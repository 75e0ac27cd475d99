/** Groups of checkboxes and of radio buttons. */
import { type ReactNode, useId } from 'react'
import './choices.css'

interface GroupProps {
  readonly legend: string
  readonly help?: string | undefined
  readonly error?: string | undefined
  readonly className?: string
  readonly children: ReactNode
}

function Group({ legend, help, error, className = '', children }: GroupProps) {
  const id = useId()
  const text = error ?? help
  return (
    <fieldset
      className={`choices ${className}`}
      aria-describedby={text === undefined ? undefined : id}
    >
      <legend>{legend}</legend>
      <div className="choices-list">{children}</div>
      {text !== undefined && (
        <p
          id={id}
          className={error === undefined ? 'field-help' : 'field-error'}
          role={error === undefined ? undefined : 'alert'}
        >
          {text}
        </p>
      )}
    </fieldset>
  )
}

interface Choice<Value extends string> {
  readonly value: Value
  readonly label: string
  /** For a choice that is disabled, the reason. */
  readonly text?: string
  readonly isDisabled?: boolean
}

interface CheckboxesProps<Value extends string> extends Omit<GroupProps, 'children'> {
  readonly choices: readonly Choice<Value>[]
  readonly chosen: readonly Value[]
  readonly onChange: (chosen: readonly Value[]) => void
}

export function Checkboxes<Value extends string>(props: CheckboxesProps<Value>) {
  const { choices, chosen, onChange, ...group } = props
  return (
    <Group {...group}>
      {choices.map(({ value, label }) => (
        <label key={value} className="choice">
          <input
            type="checkbox"
            checked={chosen.includes(value)}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, value] : chosen.filter((one) => one !== value))
            }
          />
          {label}
        </label>
      ))}
    </Group>
  )
}

interface RadiosProps<Value extends string> extends Omit<GroupProps, 'children'> {
  readonly choices: readonly Choice<Value>[]
  /** Undefined: none of the choices. */
  readonly value: Value | undefined
  readonly onChange: (value: Value) => void
}

export function Radios<Value extends string>(props: RadiosProps<Value>) {
  const { choices, value: current, onChange, ...group } = props
  const name = useId()
  return (
    <Group {...group}>
      {choices.map(({ value, label, text, isDisabled = false }) => (
        <label key={value} className="choice">
          <input
            type="radio"
            name={name}
            disabled={isDisabled}
            checked={value === current}
            onChange={() => onChange(value)}
          />
          <span>
            {label}
            {text !== undefined && <span className="choice-text">{text}</span>}
          </span>
        </label>
      ))}
    </Group>
  )
}
