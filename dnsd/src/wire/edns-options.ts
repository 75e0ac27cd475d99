/*
 * The supported options of OPT records (RFC 6891 §6.1.2), in requests and in answers. All others are
 * skipped and not echoed.
 */
import { uint16At } from '../names/octets.ts'

const OPTION = { NSID: 3, COOKIE: 10, TCP_KEEPALIVE: 11, EXTENDED_ERROR: 15 } as const
const FIXED_BYTES = 4

/** The options of a request. If an option is repeated, the first one counts (RFC 7873 §5). */
export interface RequestOptions {
  /** The client asks for the name of this server; the option's content is ignored (RFC 5001 §2.1). */
  readonly wantsNsid: boolean
  /** The content of the COOKIE option, of any length; a view of the packet. */
  readonly cookie: Uint8Array | undefined
  /** The length of the TCP keepalive option, which must be 0 in a request (RFC 7828 §3.1). */
  readonly keepaliveBytes: number | undefined
}

/** The reason for a refusal, for humans (RFC 8914 §4). */
export const EXTENDED_ERROR = {
  NOT_READY: 14,
  PROHIBITED: 18,
  NOT_AUTHORITATIVE: 20,
  NOT_SUPPORTED: 21,
} as const

export type ExtendedError = keyof typeof EXTENDED_ERROR

/** The options of an answer. */
export interface AnswerOptions {
  readonly nsid?: Uint8Array | undefined
  readonly cookie?: Uint8Array | undefined
  /** The idle timeout of the connection. */
  readonly keepaliveMs?: number | undefined
  readonly extendedError?: ExtendedError | undefined
}

export const NO_OPTIONS: RequestOptions = {
  wantsNsid: false,
  cookie: undefined,
  keepaliveBytes: undefined,
}

/** @returns undefined when the options do not fill the RDATA exactly */
export function readOptions(rdata: Uint8Array): RequestOptions | undefined {
  if (rdata.length === 0) return NO_OPTIONS
  let wantsNsid = false
  let cookie: Uint8Array | undefined
  let keepaliveBytes: number | undefined
  let at = 0
  while (at + FIXED_BYTES <= rdata.length) {
    const code = uint16At(rdata, at)
    const contentAt = at + FIXED_BYTES
    at = contentAt + uint16At(rdata, at + 2)
    if (code === OPTION.NSID) wantsNsid = true
    else if (code === OPTION.COOKIE) cookie ??= rdata.subarray(contentAt, at)
    else if (code === OPTION.TCP_KEEPALIVE) keepaliveBytes ??= at - contentAt
  }
  return at === rdata.length ? { wantsNsid, cookie, keepaliveBytes } : undefined
}

// RFC 7828 §3.1: in units of 100 milliseconds.
const KEEPALIVE_UNIT_MS = 100
const MOST_UINT16 = 0xffff

/** The options in wire form, in the order of their codes. */
export function optionOctets(options: AnswerOptions): Buffer {
  const { nsid, cookie, keepaliveMs, extendedError } = options
  const parts: Uint8Array[] = []
  if (nsid !== undefined) parts.push(fixedPart(OPTION.NSID, nsid.length), nsid)
  if (cookie !== undefined) parts.push(fixedPart(OPTION.COOKIE, cookie.length), cookie)
  if (keepaliveMs !== undefined) {
    const units = Math.min(MOST_UINT16, Math.floor(keepaliveMs / KEEPALIVE_UNIT_MS))
    parts.push(fixedPart(OPTION.TCP_KEEPALIVE, 2), uint16(units))
  }
  if (extendedError !== undefined) {
    const code = EXTENDED_ERROR[extendedError]
    parts.push(fixedPart(OPTION.EXTENDED_ERROR, 2), uint16(code))
  }
  return Buffer.concat(parts)
}

function fixedPart(code: number, contentBytes: number): Buffer {
  return Buffer.concat([uint16(code), uint16(contentBytes)])
}

function uint16(number: number): Buffer {
  const octets = Buffer.alloc(2)
  octets.writeUInt16BE(number)
  return octets
}
