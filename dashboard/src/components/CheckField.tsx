/** A checkbox with its label, and its error if there is one. */
import { type ReactNode, useId } from 'react'

interface CheckFieldProps {
  readonly name: string
  /** The label. It may contain links. */
  readonly children: ReactNode
  readonly isChecked: boolean
  readonly onChange: (isChecked: boolean) => void
  readonly error?: string | undefined
}

export function CheckField({ name, children, isChecked, onChange, error }: CheckFieldProps) {
  const id = useId()
  const errorId = `${id}-error`
  return (
    <div className="field">
      <div className="check">
        <input
          type="checkbox"
          id={id}
          name={name}
          checked={isChecked}
          aria-invalid={error !== undefined}
          aria-describedby={error === undefined ? undefined : errorId}
          onChange={(event) => onChange(event.target.checked)}
        />
        <label htmlFor={id}>{children}</label>
      </div>
      {error !== undefined && (
        <p id={errorId} className="field-error" role="alert">
          {error}
        </p>
      )}
    </div>
  )
}
