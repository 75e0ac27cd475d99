/** A checkbox with its label, help text and error. */
import { type ReactNode, type Ref, useId } from 'react'

interface CheckFieldProps {
  readonly name: string
  /** The label. It may contain links. */
  readonly children: ReactNode
  readonly isChecked: boolean
  readonly onChange: (isChecked: boolean) => void
  readonly help?: string | undefined
  readonly error?: string | undefined
  /** The help text says why. */
  readonly isDisabled?: boolean
  readonly inputRef?: Ref<HTMLInputElement>
  readonly onBlur?: () => void
}

export function CheckField(props: CheckFieldProps) {
  const { name, children, isChecked, onChange, help, error } = props
  const { isDisabled = false, inputRef, onBlur } = props
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
          ref={inputRef}
          checked={isChecked}
          disabled={isDisabled}
          aria-invalid={error !== undefined}
          aria-describedby={text === undefined ? undefined : textId}
          onChange={(event) => onChange(event.target.checked)}
          onBlur={onBlur}
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
