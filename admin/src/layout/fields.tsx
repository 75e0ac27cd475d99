/** Form fields. react-admin holds the value, the validation and the error; these components show them. */
import { CheckField } from '@homing/theme/parts/CheckField.tsx'
import { Field } from '@homing/theme/parts/Field.tsx'
import { Select as SelectField } from '@homing/theme/parts/Select.tsx'
import { useInput, type UseInputValue, type Validator, ValidationError } from 'react-admin'

interface FieldProps {
  readonly source: string
  readonly label: string
  readonly validate?: Validator | Validator[]
  /** Why the field is read-only; undefined if it is not. */
  readonly whyDisabled?: string | undefined
}

/** The error of the field, if it has one. */
function errorOf({ fieldState }: UseInputValue) {
  const message = fieldState.error?.message
  return message === undefined ? undefined : <ValidationError error={message} />
}

/** What react-admin passes to a field. The ref lets it focus the first field with an error. */
function controlOf({ field: { ref, ...field }, isRequired }: UseInputValue) {
  return { ...field, inputRef: ref, required: isRequired, autoComplete: 'off' }
}

interface TextProps extends FieldProps {
  readonly type?: 'text' | 'email'
}

export function TextInput({ source, label, validate = [], whyDisabled, type = 'text' }: TextProps) {
  const input = useInput({ source, validate })
  return (
    <Field
      {...controlOf(input)}
      label={label}
      type={type}
      error={errorOf(input)}
      help={whyDisabled}
      disabled={whyDisabled !== undefined}
    />
  )
}

interface SelectProps extends FieldProps {
  readonly choices: readonly { readonly value: string; readonly label: string }[]
}

export function Select({ source, label, validate = [], whyDisabled, choices }: SelectProps) {
  const { field } = useInput<string>({ source, validate })
  return (
    <SelectField
      label={label}
      name={field.name}
      value={field.value}
      choices={choices.map((choice) => [choice.value, choice.label] as const)}
      onChange={field.onChange}
      onBlur={field.onBlur}
      inputRef={field.ref}
      help={whyDisabled}
      isDisabled={whyDisabled !== undefined}
    />
  )
}

export function Checkbox({ source, label, whyDisabled }: FieldProps) {
  const { field } = useInput<boolean>({ source, type: 'checkbox' })
  return (
    <CheckField
      name={field.name}
      isChecked={Boolean(field.value)}
      onChange={field.onChange}
      onBlur={field.onBlur}
      inputRef={field.ref}
      help={whyDisabled}
      isDisabled={whyDisabled !== undefined}
    >
      {label}
    </CheckField>
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
    <Field
      {...controlOf(input)}
      label={label}
      error={errorOf(input)}
      help={help}
      inputProps={{ inputMode: 'numeric' }}
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
