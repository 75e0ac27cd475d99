/** Refuses new passwords that are among the most common ones, or that derive from the account's own names. */
import type { ApiConfig } from '../config/api.ts'
import { invalid } from '../rules/errors.ts'
import { weaknessOf } from '../rules/password-rules.ts'

/** A new password, and the account that it is for. */
export interface NewPassword {
  readonly password: string
  /** The input field of the password. */
  readonly field: string
  /** The account's user name, and its address where the caller has it. */
  readonly names: readonly string[]
}

const MESSAGES = {
  common: 'This password is in a list of leaked passwords. Please choose another.',
  'made-of-names':
    'This password consists mainly of names that others know, such as your username. Please choose another.',
} as const

/** @throws Refusal `validation-failed` with the reason, in words for the user */
export async function requireGoodPassword(
  { zones, publicUrl, productName }: Pick<ApiConfig, 'zones' | 'publicUrl' | 'productName'>,
  { password, field, names }: NewPassword,
): Promise<void> {
  const weakness = await weaknessOf(password, [...names, ...zones, publicUrl.hostname, productName])
  if (weakness !== undefined) throw invalid({ field, message: MESSAGES[weakness] })
}
