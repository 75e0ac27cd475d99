/** The checks of a new password before it is sent. */
import type { ApiProblem } from '../../../api/problem.ts'

export const PASSWORD_FIELDS = ['current_password', 'new_password', 'repeated_password'] as const

export type TypedPasswords = Readonly<Record<(typeof PASSWORD_FIELDS)[number], string>>

const MINIMUM_LENGTH = 8

/** The errors of the fields, as the service would report them; empty if the passwords can be sent. */
export function passwordFaults(typed: TypedPasswords): ApiProblem['fields'] {
  const empty = PASSWORD_FIELDS.filter((field) => typed[field] === '')
  if (empty.length > 0) {
    return empty.map((field) => ({ field, message: 'Please fill in all fields' }))
  }
  // Characters, as the service counts them, and not UTF-16 units.
  if (Array.from(typed.new_password).length < MINIMUM_LENGTH) {
    const message = `Password must be at least ${MINIMUM_LENGTH} characters long`
    return [{ field: 'new_password', message }]
  }
  if (typed.new_password === typed.repeated_password) return []
  return [{ field: 'repeated_password', message: 'Passwords do not match' }]
}
