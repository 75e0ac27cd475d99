import { Field } from '@homing/theme/parts/Field.tsx'
import type { Faults } from './faults.ts'
import type { Draft } from './use-draft.ts'

interface NameFieldsProps {
  readonly draft: Draft
  readonly change: (name: keyof Draft) => (text: string) => void
  readonly faults: Faults['fields']
}

const FIELDS = [
  ['given_name', 'First name', 'given-name'],
  ['surname', 'Last name', 'family-name'],
] as const

/** The name of the person, which is optional. */
export function NameFields({ draft, change, faults }: NameFieldsProps) {
  return (
    <div className="register-names">
      {FIELDS.map(([name, label, autoComplete]) => (
        <Field
          key={name}
          label={`${label} (optional)`}
          name={name}
          autoComplete={autoComplete}
          value={draft[name]}
          error={faults[name]}
          onChange={(event) => change(name)(event.target.value)}
          inputProps={{ maxLength: 100 }}
        />
      ))}
    </div>
  )
}
