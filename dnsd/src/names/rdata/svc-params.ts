/*
 * The parameters of SVCB and HTTPS records (RFC 9460): `alpn="h2,h3" port=8443`, on the wire in ascending order of their
 * keys.
 */
import { AddressError } from '../address.ts'
import { quoted } from '../octet-text.ts'
import type { Token } from '../token.ts'
import { unescaped } from './character-string.ts'
import { fixedEnd, type RdataField } from './field.ts'
import { RdataError } from './rdata-error.ts'
import {
  alpnValue,
  base64Value,
  emptyValue,
  ipv4Hint,
  ipv6Hint,
  opaqueValue,
  portValue,
  type SvcValue,
  templateValue,
} from './svc-value.ts'

const MANDATORY = 0
const ALPN = 1
const NO_DEFAULT_ALPN = 2
/** Reserved as invalid (RFC 9460 §14.3.2). */
const INVALID_KEY = 0xffff

interface SvcParam {
  readonly key: number
  readonly octets: Buffer
}

function keyFromText(text: string): number {
  const named = keyNumbers.get(text)
  if (named !== undefined) return named
  const digits = /^key(0|[1-9]\d{0,4})$/.exec(text)?.[1]
  if (digits === undefined || Number(digits) >= INVALID_KEY) {
    throw new RdataError(
      `${quoted(text)} is not a parameter: expected a name such as alpn, or key and a number below 65535`,
    )
  }
  return Number(digits)
}

function keyToText(key: number): string {
  return keys.get(key)?.text ?? `key${key}`
}

// RFC 9460 §8: the keys that a client must understand, in ascending order, each once, without "mandatory" itself.
const mandatoryValue: SvcValue = {
  parse(value) {
    const listed = value.toString('latin1').split(',').map(keyFromText)
    return Buffer.concat(
      listed.sort((a, b) => a - b).map((key) => Buffer.from([key >> 8, key & 0xff])),
    )
  },
  print: (octets) => mandatoryKeys(octets).map(keyToText).join(','),
}

function mandatoryKeys(octets: Buffer): number[] {
  if (octets.length === 0 || octets.length % 2 !== 0)
    throw new RdataError('mandatory lists one or more keys')
  const listed = Array.from({ length: octets.length / 2 }, (_, index) =>
    octets.readUInt16BE(index * 2),
  )
  for (const [index, key] of listed.entries()) {
    if (key === MANDATORY || key <= (listed[index - 1] ?? -1))
      throw new RdataError('mandatory names a key twice, out of order, or itself')
  }
  return listed
}

const keys = new Map<number, { text: string; value: SvcValue }>([
  [MANDATORY, { text: 'mandatory', value: mandatoryValue }],
  [ALPN, { text: 'alpn', value: alpnValue }],
  [NO_DEFAULT_ALPN, { text: 'no-default-alpn', value: emptyValue }],
  [3, { text: 'port', value: portValue }],
  [4, { text: 'ipv4hint', value: ipv4Hint }],
  [5, { text: 'ech', value: base64Value }],
  [6, { text: 'ipv6hint', value: ipv6Hint }],
  [7, { text: 'dohpath', value: templateValue }],
  [8, { text: 'ohttp', value: emptyValue }],
])
const keyNumbers = new Map([...keys].map(([key, { text }]) => [text, key]))

function withKey<T>(key: string, run: () => T): T {
  try {
    return run()
  } catch (error) {
    if (error instanceof RdataError || error instanceof AddressError) {
      throw new RdataError(`${key}: ${error.message}`, { cause: error })
    }
    throw error
  }
}

function parseParam({ text, quoted: inQuotes }: Token): SvcParam {
  if (inQuotes)
    throw new RdataError(`expected key or key=value, found the quoted string ${quoted(text)}`)
  const equals = text.indexOf('=')
  const keyText = equals < 0 ? text : text.slice(0, equals)
  const raw = equals < 0 ? '' : text.slice(equals + 1)
  const key = keyFromText(keyText)
  return withKey(keyText, () => {
    const bare = /^".*"$/s.test(raw) ? raw.slice(1, -1) : raw
    const value = unescaped(bare)
    // keyNNN means plain octets, even when the key has its own text form.
    const octets = keyText.startsWith('key')
      ? value
      : (keys.get(key)?.value ?? opaqueValue).parse(value)
    return { key, octets }
  })
}

function encodeParam({ key, octets }: SvcParam): Buffer {
  if (octets.length > 0xffff)
    throw new RdataError(`${keyToText(key)}: the value is longer than 65535 octets`)
  const head = Buffer.from([key >> 8, key & 0xff, octets.length >> 8, octets.length & 0xff])
  return Buffer.concat([head, octets])
}

function decodeParams(wire: Buffer): SvcParam[] {
  const params: SvcParam[] = []
  for (let at = 0; at < wire.length;) {
    const valueAt = fixedEnd(wire, at, 4)
    const end = fixedEnd(wire, valueAt, wire.readUInt16BE(at + 2))
    params.push({ key: wire.readUInt16BE(at), octets: wire.subarray(valueAt, end) })
    at = end
  }
  return params
}

// RFC 9460 §2.2 (keys in strictly ascending order), §7.1.1 (no-default-alpn requires alpn), §8 (mandatory keys are
// present).
function requireConsistent(params: readonly SvcParam[]): void {
  for (const [index, { key }] of params.entries()) {
    if (key === INVALID_KEY) throw new RdataError('key65535 is reserved')
    if (key <= (params[index - 1]?.key ?? -1))
      throw new RdataError(`${keyToText(key)} is given twice or out of order`)
  }
  const present = new Set(params.map(({ key }) => key))
  if (present.has(NO_DEFAULT_ALPN) && !present.has(ALPN))
    throw new RdataError('no-default-alpn needs alpn')
  const mandatory = params.find(({ key }) => key === MANDATORY)
  for (const key of mandatory === undefined ? [] : mandatoryKeys(mandatory.octets)) {
    if (!present.has(key))
      throw new RdataError(`mandatory names ${keyToText(key)}, which is not given`)
  }
}

function printParam({ key, octets }: SvcParam): string {
  const text = keyToText(key)
  const value = withKey(text, () => (keys.get(key)?.value ?? opaqueValue).print(octets))
  return value === '' || value === '""' ? text : `${text}=${value}`
}

export const svcParams: RdataField = {
  label: 'parameters',
  parse(words) {
    const params = words.optionalRest().map(parseParam)
    const wire = Buffer.concat(params.sort((a, b) => a.key - b.key).map(encodeParam))
    // Duplicate keys, missing keys and invalid octets under keyNNN are detected when the result is parsed again.
    svcParams.print(wire)
    return wire
  },
  end: (wire) => wire.length,
  print(wire) {
    const params = decodeParams(wire)
    requireConsistent(params)
    return params.map(printParam).join(' ')
  },
}
