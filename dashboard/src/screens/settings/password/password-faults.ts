/** The checks of a new password before it is sent. */
import type { ApiProblem } from '../../../api/problem.ts'
import { faultInNewPassword, INCOMPLETE } from '../../new-password/password-faults.ts'

export const PASSWORD_FIELDS = ['current_password', 'new_password', 'repeated_password'] as const

export type TypedPasswords = Readonly<Record<(typeof PASSWORD_FIELDS)[number], string>>

/** The errors of the fields, as the service would report them; empty if the passwords can be sent. */
export function passwordFaults(typed: TypedPasswords): ApiProblem['fields'] {
  const empty = PASSWORD_FIELDS.filter((field) => typed[field] === '')
  if (empty.length > 0) return empty.map((field) => ({ field, message: INCOMPLETE }))
  const fault = faultInNewPassword(typed.new_password, typed.repeated_password)
  return fault === undefined ? [] : [fault]
}
