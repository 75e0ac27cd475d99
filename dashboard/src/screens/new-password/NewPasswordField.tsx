import { PasswordField } from '@homing/theme/parts/PasswordField.tsx'
import { strengthOf } from './strength.ts'
import './new-password.css'

interface NewPasswordFieldProps {
  readonly label: string
  readonly name: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly error?: string | undefined
  /** What others know about the account; a password should not consist of it. */
  readonly names: readonly string[]
  readonly autoFocus?: boolean
}

const BARS = [1, 2, 3, 4] as const

/** A field for a new password, with an estimate of its strength. */
export function NewPasswordField({ names, ...field }: NewPasswordFieldProps) {
  const known = [...names, location.hostname]
  const strength = field.value === '' ? undefined : strengthOf(field.value, known)
  return (
    <div className="new-password">
      <PasswordField
        {...field}
        isNew
        help={strength === undefined ? 'At least 8 characters.' : strength.text}
      />
      <div className={`strength strength-${strength?.level ?? 0}`} aria-hidden="true">
        {BARS.map((bar) => (
          <span key={bar} className={bar <= (strength?.level ?? 0) ? 'strength-on' : ''} />
        ))}
      </div>
    </div>
  )
}
