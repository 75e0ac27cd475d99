/**
 * Secrets that are themselves random, and their one form: a mark that says what it is (`ak_`
 * an API key, `ut_` an update token), 30 characters that nobody can guess (178 bits), and
 * six that check the others. A mistyped or cut one is known without a query, and tools that
 * look for leaked secrets recognise the form. Letters and digits pass URLs as they are, a
 * double click takes all of it, and 39 characters fit the password fields of routers.
 */
import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** How they begin: no password or session token is taken for one by chance. */
const MARKS = { api_key: 'ak_', update_token: 'ut_' } as const
const SECRET_LENGTH = 30
const CHECK_LENGTH = 6
/** Characters that are shown afterwards, the mark included: 41 bits less to guess. */
const PREFIX_LENGTH = 10

export type SecretKind = keyof typeof MARKS

const KINDS = Object.keys(MARKS) as SecretKind[]

function checkOf(secret: string): string {
  let rest = crc32(secret)
  let check = ''
  for (let n = 0; n < CHECK_LENGTH; n += 1) {
    check = DIGITS.charAt(rest % 62) + check
    rest = Math.floor(rest / 62)
  }
  return check
}

/** A new secret. @param randomBytes gives unpredictable octets */
export function newSecret(kind: SecretKind, randomBytes: (count: number) => Buffer): string {
  let secret = ''
  while (secret.length < SECRET_LENGTH) {
    for (const octet of randomBytes(SECRET_LENGTH)) {
      // 248 = 4 × 62: higher ones would make the first characters likelier than the others.
      if (octet < 248 && secret.length < SECRET_LENGTH) secret += DIGITS.charAt(octet % 62)
    }
  }
  return `${MARKS[kind]}${secret}${checkOf(secret)}`
}

/** What a text is meant as, be it right or not; undefined for what begins as none of them. */
export function secretKindOf(text: string): SecretKind | undefined {
  return KINDS.find((kind) => text.startsWith(MARKS[kind]))
}

/** A mark, and so much behind it that somebody who reads it has less to guess; in any case, since parameters' names are lowered. */
const SECRET_PART = new RegExp(`(?:${Object.values(MARKS).join('|')})[0-9a-z]{8}`, 'i')

/** Whether something in a text reads like a secret, or like much of one. */
export function mayHoldSecret(text: string): boolean {
  return SECRET_PART.test(text)
}

/** Whether a text has the form of a secret, its check included. */
export function hasSecretForm(text: string): boolean {
  if (secretKindOf(text) === undefined) return false
  const [, secret, check] = /^[a-z]{2}_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/.exec(text) ?? []
  return secret !== undefined && checkOf(secret) === check
}

/** What of a secret is shown after it was made. */
export function secretPrefix(secret: string): string {
  return secret.slice(0, PREFIX_LENGTH)
}

/**
 * What is kept of such a secret: its SHA-256, in hexadecimal. Guessing 160 bits and more needs
 * no slow hash to prevent.
 */
export function digestOf(secret: string): string {
  return hash('sha256', secret, 'hex')
}

/** The same as the octets that the models' columns hold. */
export const digestBytes = (secret: string): Buffer => hash('sha256', secret, 'buffer')
