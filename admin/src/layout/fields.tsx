/** Fields of react-admin's forms: it holds value, rule and fault; these show them. */
import TextField from '@mui/material/TextField'
import { useId } from 'react'
import { useInput, type UseInputValue, type Validator, ValidationError } from 'react-admin'

interface FieldProps {
  readonly source: string
  readonly label: string
  readonly validate?: Validator | Validator[]
  /** Why it cannot be changed, when it cannot. */
  readonly whyDisabled?: string | undefined
}

/** What is wrong, else why it cannot be changed. */
function helpOf({ fieldState }: UseInputValue, whyDisabled: string | undefined) {
  const message = fieldState.error?.message
  return message === undefined ? whyDisabled : <ValidationError error={message} />
}

interface TextProps extends FieldProps {
  readonly type?: 'text' | 'email'
}

export function TextInput({ source, label, validate = [], whyDisabled, type = 'text' }: TextProps) {
  const input = useInput({ source, validate })
  return (
    <TextField
      {...input.field}
      id={input.id}
      label={label}
      type={type}
      required={input.isRequired}
      error={input.fieldState.invalid}
      helperText={helpOf(input, whyDisabled)}
      disabled={whyDisabled !== undefined}
      autoComplete="off"
    />
  )
}

interface SelectProps extends FieldProps {
  readonly choices: readonly { readonly value: string; readonly label: string }[]
}

export function Select({ source, label, validate = [], whyDisabled, choices }: SelectProps) {
  const input = useInput({ source, validate })
  return (
    <TextField
      {...input.field}
      id={input.id}
      label={label}
      select
      error={input.fieldState.invalid}
      helperText={helpOf(input, whyDisabled)}
      disabled={whyDisabled !== undefined}
      slotProps={{ select: { native: true }, inputLabel: { shrink: true } }}
    >
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.label}
        </option>
      ))}
    </TextField>
  )
}

export function Checkbox({ source, label, whyDisabled }: FieldProps) {
  const { field, id } = useInput({ source, type: 'checkbox' })
  const helpId = useId()
  return (
    <div className="checkbox">
      <input
        type="checkbox"
        id={id}
        name={field.name}
        ref={field.ref}
        checked={Boolean(field.value)}
        onChange={field.onChange}
        onBlur={field.onBlur}
        disabled={whyDisabled !== undefined}
        aria-describedby={whyDisabled === undefined ? undefined : helpId}
      />
      <label htmlFor={id}>{label}</label>
      {whyDisabled !== undefined && (
        <span id={helpId} className="second-line">
          {whyDisabled}
        </span>
      )}
    </div>
  )
}
