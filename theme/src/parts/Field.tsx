/** A field with its label, help text and error, linked for assistive technology. */
import OutlinedInput, { type OutlinedInputProps } from '@mui/material/OutlinedInput'
import { type ReactNode, useId } from 'react'

interface FieldProps extends Omit<OutlinedInputProps, 'error' | 'id' | 'label'> {
  readonly label: string
  readonly help?: ReactNode
  /** Whether the help text reports a success. */
  readonly isGood?: boolean
  readonly error?: ReactNode
  /** The id of the element that shows the error, if it is not part of the field. */
  readonly errorId?: string | undefined
  readonly isMonospace?: boolean
}

export function Field(props: FieldProps) {
  const {
    label,
    help,
    error,
    errorId,
    isGood = false,
    isMonospace = false,
    inputProps,
    ...rest
  } = props
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
          className={error === undefined ? (isGood ? 'field-good' : 'field-help') : 'field-error'}
          role={error === undefined ? undefined : 'alert'}
        >
          {text}
        </p>
      )}
    </div>
  )
}
