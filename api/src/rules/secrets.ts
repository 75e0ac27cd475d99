/**
 * Random secrets and their single format: a prefix for the kind (`ak_` for an API key, `ut_` for an
 * update token, `hb_` for a heartbeat URL), 30 random characters (178 bits), and a checksum of six characters. A mistyped or
 * truncated secret is recognised without a query, and tools that search for leaked secrets
 * recognise the format. Letters and digits need no escaping in URLs, a double click selects all of
 * it, and 39 characters fit the password fields of routers.
 */
import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** Prefixes, so that a password or session token is not mistaken for a secret. */
const MARKS = { api_key: 'ak_', update_token: 'ut_', heartbeat: 'hb_' } as const
const SECRET_LENGTH = 30
const CHECK_LENGTH = 6
/** Characters that are shown after creation, the prefix included. They reveal 41 bits. */
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

/** Makes a new secret. @param randomBytes returns unpredictable octets */
export function newSecret(kind: SecretKind, randomBytes: (count: number) => Buffer): string {
  let secret = ''
  while (secret.length < SECRET_LENGTH) {
    for (const octet of randomBytes(SECRET_LENGTH)) {
      // 248 = 4 × 62: higher values would make the first characters more likely than the others.
      if (octet < 248 && secret.length < SECRET_LENGTH) secret += DIGITS.charAt(octet % 62)
    }
  }
  return `${MARKS[kind]}${secret}${checkOf(secret)}`
}

/**
 * The kind of secret that a text's prefix indicates, valid or not; undefined without such a prefix.
 */
export function secretKindOf(text: string): SecretKind | undefined {
  return KINDS.find((kind) => text.startsWith(MARKS[kind]))
}

/** A prefix and enough characters after it to make guessing easier; case-insensitive, because parameter names are lowered. */
const SECRET_PART = new RegExp(`(?:${Object.values(MARKS).join('|')})[0-9a-z]{8}`, 'i')

/** Whether a text contains something that looks like a secret, or like a large part of one. */
export function mayHoldSecret(text: string): boolean {
  return SECRET_PART.test(text)
}

/** Whether a text has the format of a secret, with a valid checksum. */
export function hasSecretForm(text: string): boolean {
  if (secretKindOf(text) === undefined) return false
  const [, secret, check] = /^[a-z]{2}_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/.exec(text) ?? []
  return secret !== undefined && checkOf(secret) === check
}

/** The part of a secret that is shown after its creation. */
export function secretPrefix(secret: string): string {
  return secret.slice(0, PREFIX_LENGTH)
}

/**
 * The stored form of a secret: its SHA-256, in hexadecimal. A secret of 160 bits or more needs no
 * slow hash against guessing.
 */
export function digestOf(secret: string): string {
  return hash('sha256', secret, 'hex')
}

/** The same digest as octets, as the models' columns hold it. */
export const digestBytes = (secret: string): Buffer => hash('sha256', secret, 'buffer')
