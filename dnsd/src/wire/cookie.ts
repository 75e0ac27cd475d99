/*
 * DNS cookies (RFC 7873) with the server cookies of RFC 9018. A client with a server cookie has
 * received an answer at its address before, so its question is not forged. The server stores nothing
 * about clients. Servers that share a secret accept each other's cookies, whatever software they run.
 */
import { timingSafeEqual } from 'node:crypto'
import { sipHash } from './siphash.ts'

export const CLIENT_COOKIE_BYTES = 8
/** The length of a client cookie and the server cookie that this server makes. */
export const COOKIE_BYTES = 24
/** The secret of SipHash-2-4 (RFC 9018 §4.2). */
export const COOKIE_SECRET_BYTES = 16

/**
 * What a client's cookie says about it. `client`: it supports cookies and has no server cookie of
 * this server yet.
 */
export type CookieStanding = 'none' | 'client' | 'valid'

/** Prepared secrets: the first one signs, all are accepted. */
export type CookieSecrets = readonly Uint32Array[]

// RFC 7873 §5.2.2: only a client cookie, or also a server cookie of 8 to 32 octets.
const LEAST_COOKIE_BYTES = 16
const MOST_COOKIE_BYTES = 40

// The fields of a server cookie, after the client cookie (RFC 9018 §4).
const VERSION = 1
const VERSION_AT = CLIENT_COOKIE_BYTES
const TIMESTAMP_AT = 12
const HASH_AT = 16

// RFC 9018 §4.3: a cookie is valid for an hour, and five minutes cover clock differences of other
// servers. After half an hour the client gets a new cookie, before the old one expires.
const MOST_AGE_SECONDS = 3600
const MOST_AHEAD_SECONDS = 300
const RENEWAL_AGE_SECONDS = 1800

/** @throws RangeError for a secret that does not have 16 octets */
export function cookieSecrets(secrets: readonly Uint8Array[]): CookieSecrets {
  return secrets.map((secret) => {
    if (secret.length !== COOKIE_SECRET_BYTES) {
      throw new RangeError(`a cookie secret has ${secret.length} octets instead of 16`)
    }
    const view = new DataView(secret.buffer, secret.byteOffset, secret.length)
    return Uint32Array.from([0, 4, 8, 12], (at) => view.getUint32(at, true))
  })
}

/** Whether this is a valid length of a COOKIE option (RFC 7873 §5.2.2). */
export function isCookieLength(bytes: number): boolean {
  const withServerCookie = bytes >= LEAST_COOKIE_BYTES && bytes <= MOST_COOKIE_BYTES
  return bytes === CLIENT_COOKIE_BYTES || withServerCookie
}

/**
 * Checks the cookie of a request and writes the cookie of the answer: the same one while it is recent
 * enough, otherwise a new one (RFC 9018 §4.3).
 *
 * @param cookie the contents of a COOKIE option with a valid length
 * @param address the address of the client, 4 or 16 octets
 * @param nowSeconds since 1970; it is signed, so servers that share a secret need synchronised clocks
 * @param answer receives `COOKIE_BYTES` octets
 * @returns whether the request's server cookie is valid for this client and recent
 */
export function answerCookie(
  cookie: Uint8Array,
  address: Uint8Array,
  secrets: CookieSecrets,
  nowSeconds: number,
  answer: Uint8Array,
): boolean {
  const ageSeconds = ageOf(cookie, nowSeconds)
  const signer = ageSeconds === undefined ? -1 : signerOf(cookie, address, secrets)
  if (signer === 0 && ageSeconds !== undefined && isKept(cookie, ageSeconds)) {
    answer.set(cookie)
  } else {
    for (let at = 0; at < CLIENT_COOKIE_BYTES; at++) answer[at] = cookie[at] ?? 0
    // This server sets reserved octets to zero.
    answer.fill(0, VERSION_AT, TIMESTAMP_AT)
    answer[VERSION_AT] = VERSION
    writeUint32(answer, TIMESTAMP_AT, nowSeconds)
    const [first] = secrets
    if (first !== undefined) writeHash(answer, address, first, answer)
  }
  return signer !== -1
}

/** @returns undefined for a cookie of another kind, or one that is too old or from the future */
function ageOf(cookie: Uint8Array, nowSeconds: number): number | undefined {
  if (cookie.length !== COOKIE_BYTES || cookie[VERSION_AT] !== VERSION) return undefined
  // The difference in 32 bits, as with serial numbers (RFC 1982): the seconds wrap around in 2106.
  const age = (nowSeconds - readUint32(cookie, TIMESTAMP_AT)) | 0
  return age <= MOST_AGE_SECONDS && age >= -MOST_AHEAD_SECONDS ? age : undefined
}

const expected = new Uint8Array(COOKIE_BYTES)

/** @returns the index of the secret that signed it, or -1 */
function signerOf(cookie: Uint8Array, address: Uint8Array, secrets: CookieSecrets): number {
  expected.set(cookie)
  for (let index = 0; index < secrets.length; index++) {
    const secret = secrets[index]
    if (secret === undefined) continue
    writeHash(cookie, address, secret, expected)
    // In constant time, so that the time does not reveal how much of a guess is right.
    if (timingSafeEqual(cookie, expected)) return index
  }
  return -1
}

function isKept(cookie: Uint8Array, ageSeconds: number): boolean {
  const reservedIsZero = cookie[9] === 0 && cookie[10] === 0 && cookie[11] === 0
  return reservedIsZero && ageSeconds <= RENEWAL_AGE_SECONDS
}

// The input of the hash: the cookie up to its hash, and the address (RFC 9018 §4.4). One buffer for
// each address length.
const ipv4Input = new Uint8Array(HASH_AT + 4)
const ipv6Input = new Uint8Array(HASH_AT + 16)

function writeHash(
  cookie: Uint8Array,
  address: Uint8Array,
  secret: Uint32Array,
  into: Uint8Array,
): void {
  const input = address.length === 4 ? ipv4Input : ipv6Input
  for (let at = 0; at < HASH_AT; at++) input[at] = cookie[at] ?? 0
  input.set(address, HASH_AT)
  sipHash(secret, input, into, HASH_AT)
}

function readUint32(octets: Uint8Array, at: number): number {
  return (
    (((octets[at] ?? 0) << 24) |
      ((octets[at + 1] ?? 0) << 16) |
      ((octets[at + 2] ?? 0) << 8) |
      (octets[at + 3] ?? 0)) >>>
    0
  )
}

function writeUint32(octets: Uint8Array, at: number, number: number): void {
  octets[at] = number >>> 24
  octets[at + 1] = number >>> 16
  octets[at + 2] = number >>> 8
  octets[at + 3] = number
}
