/**
 * The form of API keys: `ak_`, 30 characters that nobody can guess (178 bits), and six that
 * check the others. A mistyped or cut key is known without a query, and tools that look for
 * leaked secrets recognise the form.
 */
import { crc32 } from 'node:zlib'

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** How keys begin: no password or session token is taken for one by chance. */
const MARK = 'ak_'
const SECRET_LENGTH = 30
const CHECK_LENGTH = 6
/** Characters that are shown afterwards, `ak_` included: 41 bits less to guess. */
const PREFIX_LENGTH = 10

function checkOf(secret: string): string {
  let rest = crc32(secret)
  let check = ''
  for (let n = 0; n < CHECK_LENGTH; n += 1) {
    check = DIGITS.charAt(rest % 62) + check
    rest = Math.floor(rest / 62)
  }
  return check
}

/** A new key. @param randomBytes gives unpredictable octets */
export function newApiKey(randomBytes: (count: number) => Buffer): string {
  let secret = ''
  while (secret.length < SECRET_LENGTH) {
    for (const octet of randomBytes(SECRET_LENGTH)) {
      // 248 = 4 × 62: higher ones would make the first characters likelier than the others.
      if (octet < 248 && secret.length < SECRET_LENGTH) secret += DIGITS.charAt(octet % 62)
    }
  }
  return `${MARK}${secret}${checkOf(secret)}`
}

/** Whether a text is meant as a key, be it right or not. */
export function isMeantAsApiKey(text: string): boolean {
  return text.startsWith(MARK)
}

/** Whether a text has the form of a key, its check included. */
export function looksLikeApiKey(text: string): boolean {
  const [, secret, check] = /^ak_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/.exec(text) ?? []
  return secret !== undefined && checkOf(secret) === check
}

/** What of a key is shown after it was made. */
export function apiKeyPrefix(key: string): string {
  return key.slice(0, PREFIX_LENGTH)
}
