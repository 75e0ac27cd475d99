/** Form fields. react-admin holds the value, the validation and the error; these components show them. */
import TextField from '@mui/material/TextField'
import { useId } from 'react'
import { useInput, type UseInputValue, type Validator, ValidationError } from 'react-admin'

interface FieldProps {
  readonly source: string
  readonly label: string
  readonly validate?: Validator | Validator[]
  /** Why the field is read-only; undefined if it is not. */
  readonly whyDisabled?: string | undefined
}

/** The error of the field, or why it is read-only. */
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

/** Parses a whole number. Other text stays as it is, and validation rejects it. */
const wholeNumber = (text: string): number | string =>
  /^\s*-?\d{1,15}\s*$/.test(text) ? Number(text) : text

const isWholeNumber = (value: unknown) =>
  value === '' || value === null || Number.isInteger(value) ? undefined : 'Must be a whole number'

interface NumberProps extends FieldProps {
  readonly help?: string
}

/** A whole number. Not a spinner, because the mouse wheel would change the value. */
export function NumberInput({ source, label, validate = [], help }: NumberProps) {
  const rules = [isWholeNumber, ...(Array.isArray(validate) ? validate : [validate])]
  const input = useInput<number | string>({ source, validate: rules, parse: wholeNumber })
  return (
    <TextField
      {...input.field}
      id={input.id}
      label={label}
      required={input.isRequired}
      error={input.fieldState.invalid}
      helperText={helpOf(input, help)}
      autoComplete="off"
      slotProps={{ htmlInput: { inputMode: 'numeric' } }}
    />
  )
}

interface CheckboxGroupProps extends FieldProps {
  readonly choices: readonly { readonly value: string; readonly label: string }[]
}

/** A group of checkboxes. The value keeps the order of the choices. */
export function CheckboxGroup({ source, label, choices }: CheckboxGroupProps) {
  const { field, id } = useInput({ source })
  const chosen: readonly string[] = Array.isArray(field.value) ? field.value : []
  const choose = (value: string, isChosen: boolean) => {
    const wanted = isChosen ? [...chosen, value] : chosen.filter((each) => each !== value)
    field.onChange(choices.map((each) => each.value).filter((each) => wanted.includes(each)))
  }
  return (
    <fieldset className="checkboxes">
      <legend>{label}</legend>
      {choices.map((choice) => (
        <div key={choice.value} className="checkbox">
          <input
            type="checkbox"
            id={`${id}-${choice.value}`}
            name={field.name}
            checked={chosen.includes(choice.value)}
            onChange={(event) => choose(choice.value, event.target.checked)}
            onBlur={field.onBlur}
          />
          <label htmlFor={`${id}-${choice.value}`}>{choice.label}</label>
        </div>
      ))}
    </fieldset>
  )
}
