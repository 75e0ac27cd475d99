/** A field with its label, what helps to fill it in, and what is wrong with it, tied together for all who read it. */
import OutlinedInput, { type OutlinedInputProps } from '@mui/material/OutlinedInput'
import { useId } from 'react'

interface FieldProps extends Omit<OutlinedInputProps, 'error' | 'id' | 'label'> {
  readonly label: string
  readonly help?: string | undefined
  readonly error?: string | undefined
  /** The element that says what is wrong, where that stands elsewhere. */
  readonly errorId?: string | undefined
  readonly isMonospace?: boolean
}

export function Field(props: FieldProps) {
  const { label, help, error, errorId, isMonospace = false, inputProps, ...rest } = props
  const id = useId()
  const textId = `${id}-text`
  const text = error ?? help
  const describedBy = [errorId, text === undefined ? undefined : textId].filter(Boolean).join(' ')
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <OutlinedInput
        {...rest}
        id={id}
        size="small"
        fullWidth
        error={error !== undefined || errorId !== undefined}
        className={isMonospace ? 'monospace' : ''}
        inputProps={{
          ...inputProps,
          ...(describedBy === '' ? {} : { 'aria-describedby': describedBy }),
        }}
      />
      {text !== undefined && (
        <p
          id={textId}
          className={error === undefined ? 'field-help' : 'field-error'}
          role={error === undefined ? undefined : 'alert'}
        >
          {text}
        </p>
      )}
    </div>
  )
}
