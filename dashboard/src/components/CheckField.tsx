/** A checkbox with its label, help text and error. */
import { type ReactNode, useId } from 'react'

interface CheckFieldProps {
  readonly name: string
  /** The label. It may contain links. */
  readonly children: ReactNode
  readonly isChecked: boolean
  readonly onChange: (isChecked: boolean) => void
  readonly help?: string
  readonly error?: string | undefined
}

export function CheckField({ name, children, isChecked, onChange, help, error }: CheckFieldProps) {
  const id = useId()
  const textId = `${id}-text`
  const text = error ?? help
  return (
    <div className="field">
      <div className="check">
        <input
          type="checkbox"
          id={id}
          name={name}
          checked={isChecked}
          aria-invalid={error !== undefined}
          aria-describedby={text === undefined ? undefined : textId}
          onChange={(event) => onChange(event.target.checked)}
        />
        <label htmlFor={id}>{children}</label>
      </div>
      {text !== undefined && (
        <p
          id={textId}
          className={error === undefined ? 'field-help check-help' : 'field-error'}
          role={error === undefined ? undefined : 'alert'}
        >
          {text}
        </p>
      )}
    </div>
  )
}
