/*
 * Transaction signatures (RFC 8945). A server that shares a secret with this server can verify that a message
 * comes from it unchanged, and this server can verify requests.
 *
 * Requests are checked in the order of §5.2: the key, the MAC, the time, then MAC truncation. Answers are
 * signed together with the request's MAC, so that they cannot be passed off as answers to another request
 * (§5.3). Each message of a transfer is signed with the MAC of the one before (§5.3.1), so that none can be
 * left out or moved.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { canonicalName, nameFromText, nameKey, ROOT_NAME } from '../names/index.ts'
import { uint16At } from '../names/octets.ts'
import type { TsigAlgorithm, TsigKey } from './tsig-key.ts'
import {
  type PlacedTsig,
  type TsigRecord,
  tsigOctets,
  uint48,
  withoutRecord,
  withRecord,
} from './tsig-record.ts'

/** The errors in a TSIG record (RFC 8945 §3). */
export const TSIG_ERROR = { NONE: 0, BADSIG: 16, BADKEY: 17, BADTIME: 18, BADTRUNC: 22 } as const

/** The maximum clock difference of two servers (§10). */
const FUDGE_SECONDS = 300

const CLASS_ANY_AND_TTL = Buffer.from([0, 255, 0, 0, 0, 0])
const NOTHING = Buffer.alloc(0)
// RFC 8945 §5.2.2.1: a shorter MAC is invalid.
const LEAST_MAC_BYTES = 10

interface Algorithm {
  readonly hash: string
  readonly macBytes: number
  /** The name in wire form. */
  readonly name: Buffer
}

const ALGORITHMS: Readonly<Record<TsigAlgorithm, Algorithm>> = {
  'hmac-sha256': { hash: 'sha256', macBytes: 32, name: nameFromText('hmac-sha256', ROOT_NAME) },
  'hmac-sha384': { hash: 'sha384', macBytes: 48, name: nameFromText('hmac-sha384', ROOT_NAME) },
  'hmac-sha512': { hash: 'sha512', macBytes: 64, name: nameFromText('hmac-sha512', ROOT_NAME) },
}

/** The input of a MAC, without the key. */
interface Signed {
  /** The MAC of the request, or of the previous message. */
  readonly priorMac: Buffer | undefined
  readonly message: Uint8Array
  readonly record: Omit<TsigRecord, 'mac'>
  /** §5.3.1: from the second message of an answer on, only the times are included. */
  readonly timersOnly: boolean
}

function macOf(key: TsigKey, { priorMac, message, record, timersOnly }: Signed): Buffer {
  const hmac = createHmac(ALGORITHMS[key.algorithm].hash, key.secret)
  if (priorMac !== undefined) hmac.update(uint16(priorMac.length)).update(priorMac)
  hmac.update(message)
  const times = Buffer.concat([uint48(record.timeSeconds), uint16(record.fudgeSeconds)])
  if (timersOnly) return hmac.update(times).digest()
  return hmac
    .update(canonicalName(record.owner))
    .update(CLASS_ANY_AND_TTL)
    .update(canonicalName(record.algorithm))
    .update(times)
    .update(uint16(record.error))
    .update(uint16(record.other.length))
    .update(record.other)
    .digest()
}

function uint16(number: number): Buffer {
  return Buffer.from([number >>> 8, number & 0xff])
}

/** Signs the messages of one answer, or one request, in order. */
export class TsigSigner {
  readonly key: TsigKey
  #priorMac: Buffer | undefined
  #isFirst = true

  /** @param requestMac the MAC of the answered request; undefined to sign a request */
  constructor(key: TsigKey, requestMac?: Buffer) {
    this.key = key
    this.#priorMac = requestMac && Buffer.from(requestMac)
  }

  /** The number of octets that a signature adds to a message. */
  get signatureBytes(): number {
    const { macBytes, name } = ALGORITHMS[this.key.algorithm]
    return this.key.name.length + 10 + name.length + 16 + macBytes
  }

  /** The MAC of the last signed message. */
  get mac(): Buffer | undefined {
    return this.#priorMac
  }

  /** The message with its signature. */
  sign(message: Uint8Array, nowSeconds: number): Buffer {
    return this.#signed(message, nowSeconds, TSIG_ERROR.NONE, NOTHING)
  }

  /**
   * The message, which has NOTAUTH, with a signature that has the reason (§5.3.2).
   *
   * @param requestSeconds the client's time, which shows the client that the answer is fresh
   * @param nowSeconds this server's time, which is sent with BADTIME (§5.2.3)
   */
  signError(
    message: Uint8Array,
    error: number,
    { requestSeconds, nowSeconds }: { requestSeconds: number; nowSeconds: number },
  ): Buffer {
    return error === TSIG_ERROR.BADTIME
      ? this.#signed(message, requestSeconds, error, uint48(nowSeconds))
      : this.#signed(message, nowSeconds, error, NOTHING)
  }

  #signed(message: Uint8Array, timeSeconds: number, error: number, other: Buffer): Buffer {
    const record: TsigRecord = {
      owner: this.key.name,
      algorithm: ALGORITHMS[this.key.algorithm].name,
      timeSeconds,
      fudgeSeconds: FUDGE_SECONDS,
      mac: NOTHING,
      originalId: uint16At(message, 0),
      error,
      other,
    }
    const timersOnly = !this.#isFirst
    const mac = macOf(this.key, { priorMac: this.#priorMac, message, record, timersOnly })
    this.#priorMac = mac
    this.#isFirst = false
    return withRecord(message, tsigOctets({ ...record, mac }))
  }
}

/** The key with this name and algorithm. */
export type FindKey = (nameKey: string) => TsigKey | undefined

/** The result of checking a signature. */
export type TsigCheck =
  /** The message without the signature, and the key. */
  | { readonly kind: 'valid'; readonly message: Buffer; readonly key: TsigKey }
  /** There is no key with that name and algorithm. */
  | { readonly kind: 'unknown-key' }
  /** An invalid format (§5.2.2.1): FORMERR. */
  | { readonly kind: 'malformed' }
  /** The MAC does not match the secret and this message. */
  | { readonly kind: 'wrong' }
  /**
   * The MAC is valid, but the time is wrong or the MAC is truncated. A client that knows the secret may learn
   * this.
   */
  | { readonly kind: 'untimely' | 'short'; readonly key: TsigKey }

/**
 * Checks the signature of a message.
 *
 * @param priorMac for an answer: the MAC of its request
 */
export function checkTsig(
  message: Uint8Array,
  placed: PlacedTsig,
  findKey: FindKey,
  nowSeconds: number,
  priorMac?: Buffer,
): TsigCheck {
  const { record } = placed
  const key = findKey(nameKey(record.owner))
  if (key === undefined) return { kind: 'unknown-key' }
  const { name, macBytes } = ALGORITHMS[key.algorithm]
  if (nameKey(record.algorithm) !== nameKey(name)) return { kind: 'unknown-key' }
  const leastBytes = Math.max(LEAST_MAC_BYTES, macBytes / 2)
  if (record.mac.length > macBytes || record.mac.length < leastBytes) return { kind: 'malformed' }
  const signed = withoutRecord(message, placed)
  const mac = macOf(key, { priorMac, message: signed, record, timersOnly: false })
  if (!timingSafeEqual(mac.subarray(0, record.mac.length), record.mac)) return { kind: 'wrong' }
  if (Math.abs(nowSeconds - record.timeSeconds) > record.fudgeSeconds) {
    return { kind: 'untimely', key }
  }
  if (record.mac.length < macBytes) return { kind: 'short', key }
  // From here on, the message has the ID with which it arrived.
  signed.set(message.subarray(0, 2), 0)
  return { kind: 'valid', message: signed, key }
}

/** The unsigned record that refuses a signature (§5.3.2), with the reason and the key of the request. */
export function unsignedError(record: TsigRecord, error: number): Buffer {
  return tsigOctets({ ...record, mac: NOTHING, error, other: NOTHING })
}
