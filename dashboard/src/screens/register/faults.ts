/** The errors of the registration form, by field: missing values, and what the service refused. */
import { ApiProblem, textOf } from '../../api/problem.ts'
import type { Draft } from './use-draft.ts'

export type FieldName = keyof Draft | 'password' | 'terms'

export interface Faults {
  readonly fields: Readonly<Partial<Record<FieldName, string>>>
  /** An error that belongs to no field. */
  readonly text?: string
  readonly requestId?: string | undefined
}

export const NO_FAULTS: Faults = { fields: {} }

const FIELDS = ['given_name', 'surname', 'username', 'email', 'password', 'terms'] as const

export interface Wanted extends Draft {
  readonly password: string
  readonly acceptsTerms: boolean
}

/** The fields that must be filled in first; undefined when there are none. */
export function missingIn(wanted: Wanted): Faults | undefined {
  const { username, email, password, acceptsTerms } = wanted
  const fields: Partial<Record<FieldName, string>> = {
    ...(username.trim() === '' ? { username: 'Please choose a username' } : {}),
    ...(email.trim() === '' ? { email: 'Please enter your email address' } : {}),
    ...(password === '' ? { password: 'Please choose a password' } : {}),
    ...(acceptsTerms ? {} : { terms: 'Please accept the terms to create an account' }),
  }
  return Object.keys(fields).length === 0 ? undefined : { fields }
}

/** What the service refused, at the fields that it names. */
export function faultsOf(error: Error): Faults {
  const text = textOf(error, 'Registration failed. Please try again.')
  if (!(error instanceof ApiProblem)) return { fields: {}, text }
  const { requestId } = error
  const found = FIELDS.map((name) => [name, error.of(name)] as const)
  const fields = Object.fromEntries(found.filter(([, message]) => message !== undefined))
  const captcha = error.of('captcha_token')
  if (Object.keys(fields).length > 0) return { fields }
  return { fields, text: captcha ?? text, requestId }
}
