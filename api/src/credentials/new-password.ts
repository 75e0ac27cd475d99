/** What a new password may not be: one of those that everybody tries first, or made of the account's own names. */
import type { ApiConfig } from '../config/api.ts'
import { invalid } from '../rules/errors.ts'
import { weaknessOf } from '../rules/password-rules.ts'

/** A password that somebody wants, and whose. */
export interface NewPassword {
  readonly password: string
  /** The field that it was given in. */
  readonly field: string
  /** The account's user name, and its address where it is at hand. */
  readonly names: readonly string[]
}

const MESSAGES = {
  common: 'This password is in a list of leaked passwords. Please choose another.',
  'made-of-names':
    'This password consists mainly of names that others know, such as your user name. Please choose another.',
} as const

/** @throws Refusal `validation-failed` with the reason, in words for whoever chose it */
export async function requireGoodPassword(
  { zones, publicUrl, productName }: Pick<ApiConfig, 'zones' | 'publicUrl' | 'productName'>,
  { password, field, names }: NewPassword,
): Promise<void> {
  const weakness = await weaknessOf(password, [...names, ...zones, publicUrl.hostname, productName])
  if (weakness !== undefined) throw invalid({ field, message: MESSAGES[weakness] })
}
