/** What a new password may not be: one of those that everybody tries first, or made of the account's own names. */
import type { Config } from '../config.ts'
import { invalid } from '../domain/errors.ts'
import { isMadeOfNames } from '../domain/password-rules.ts'

/** A password that somebody wants, and whose. */
export interface NewPassword {
  readonly password: string
  /** The field that it was given in. */
  readonly field: string
  /** The account's user name, and its address where it is at hand. */
  readonly names: readonly string[]
}

/** Shorter ones are refused by their length. */
const LENGTH_LIMIT = 8

let loading: Promise<ReadonlySet<string>> | undefined

/**
 * The passwords that most accounts of known breaches have: some 18,000 of eight characters and more. They are read
 * when they are first needed, which takes a third of a second once.
 */
function commonPasswords(): Promise<ReadonlySet<string>> {
  loading ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) =>
      new Set(dictionary['passwords-common'].filter(({ length }) => length >= LENGTH_LIMIT)),
  )
  return loading
}

/** @throws Refusal `validation-failed` with the reason, in words for whoever chose it */
export async function requireGoodPassword(
  { zones, publicUrl, productName }: Pick<Config, 'zones' | 'publicUrl' | 'productName'>,
  { password, field, names }: NewPassword,
): Promise<void> {
  if ((await commonPasswords()).has(password.toLowerCase())) {
    const message = 'This password is in lists of stolen ones. Please choose another.'
    throw invalid({ field, message })
  }
  if (isMadeOfNames(password, [...names, ...zones, publicUrl.hostname, productName])) {
    const message = 'This password is made of names that others know. Please choose another.'
    throw invalid({ field, message })
  }
}
