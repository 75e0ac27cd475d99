import { Field } from '@homing/theme/parts/Field.tsx'
import { unicodeName } from '../../components/unicode-name.ts'

interface TypedNameProps {
  readonly name: string
  readonly value: string
  readonly onChange: (value: string) => void
}

/** Whether the user typed the name. A name with A-labels can be typed in Unicode too. */
export function isTyped(value: string, name: string): boolean {
  const typed = value.trim().toLowerCase().replace(/\.$/, '')
  return typed === name || typed === unicodeName(name)
}

/** Requires the name of what is deleted for good, so that nobody does it by accident. */
export function TypedName({ name, value, onChange }: TypedNameProps) {
  return (
    <Field
      label={`Type ${name} to confirm`}
      name="confirm-zone"
      isMonospace
      autoComplete="off"
      value={value}
      inputProps={{ maxLength: 254, spellCheck: false, autoCapitalize: 'none' }}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
