/* Domain names as text: parsed by RFC 1035 §5.1, written by RFC 4343 §2.1. */
import { NameError } from './name-error.ts'
import { decimalEscape, escapedOctet, escapeLength, isBackslash, quoted } from './octet-text.ts'
import { LABEL_LIMIT_OCTETS, NAME_LIMIT_OCTETS, nameLengthAt, ROOT_NAME } from './owner-name.ts'

const DOT = 0x2e

// Names are built here and copied out at their final size. The code is synchronous, so one buffer is enough.
const draft = Buffer.alloc(NAME_LIMIT_OCTETS)

function tooLong(text: string): NameError {
  const limit = NAME_LIMIT_OCTETS - 2
  return new NameError(
    'name-too-long',
    `The name ${quoted(text)} is longer than ${limit} characters.`,
  )
}

function closeLabel(text: string, lengthAt: number, end: number): void {
  const length = end - lengthAt - 1
  if (length === 0)
    throw new NameError('empty-label', `The name ${quoted(text)} has an empty label.`)
  draft[lengthAt] = length
}

function octetAt(text: string, at: number): number {
  const code = text.charCodeAt(at)
  if (isBackslash(code)) {
    const octet = escapedOctet(text, at)
    if (octet !== undefined) return octet
    throw new NameError(
      'bad-escape',
      `In ${quoted(text)} a backslash is not followed by three digits up to 255 or by one character.`,
    )
  }
  if (code > 0x20 && code < 0x7f) return code
  throw new NameError(
    'bad-character',
    `The name ${quoted(text)} has a character that must be written as \\DDD; names in other scripts are written as A-labels (xn--…).`,
  )
}

function withOrigin(text: string, end: number, origin: Uint8Array | undefined): Buffer {
  if (origin === undefined) {
    throw new NameError(
      'not-absolute',
      `The name ${quoted(text)} must end with a dot: there is no origin to add.`,
    )
  }
  if (end + origin.length > NAME_LIMIT_OCTETS) throw tooLong(text)
  return Buffer.concat([draft.subarray(0, end), origin])
}

/**
 * Reads a name. A text without a final dot is relative to `origin`; `@` alone is the origin itself.
 *
 * @param origin an absolute name; `ROOT_NAME` for texts that are absolute without a final dot
 * @throws NameError `empty-label`, `label-too-long`, `name-too-long`, `bad-escape`, `bad-character` for white space, control
 * characters and anything outside ASCII that is not escaped, `not-absolute` for a relative name without an origin
 */
export function nameFromText(text: string, origin?: Uint8Array): Buffer {
  if (text === '.') return Buffer.from(ROOT_NAME)
  if (text === '@') return withOrigin(text, 0, origin)
  let lengthAt = 0
  let end = 1
  for (let at = 0; at < text.length;) {
    const code = text.charCodeAt(at)
    if (code === DOT) {
      closeLabel(text, lengthAt, end)
      lengthAt = end
      end += 1
      at += 1
      continue
    }
    const octet = octetAt(text, at)
    at += isBackslash(code) ? escapeLength(text, at) : 1
    if (end - lengthAt > LABEL_LIMIT_OCTETS) {
      throw new NameError(
        'label-too-long',
        `The name ${quoted(text)} has a label longer than ${LABEL_LIMIT_OCTETS} characters.`,
      )
    }
    // The last octet is the root label.
    if (end >= NAME_LIMIT_OCTETS - 1) throw tooLong(text)
    draft[end] = octet
    end += 1
  }
  // A final dot leaves an empty label: the root.
  if (end - lengthAt === 1 && lengthAt > 0) return withOrigin(text, lengthAt, ROOT_NAME)
  closeLabel(text, lengthAt, end)
  return withOrigin(text, end, origin)
}

// Characters with a meaning in a master file: " $ ( ) . ; @ \
const SPECIAL = new Set([0x22, 0x24, 0x28, 0x29, DOT, 0x3b, 0x40, 0x5c])

function octetToText(octet: number): string {
  if (octet <= 0x20 || octet >= 0x7f) return decimalEscape(octet)
  return SPECIAL.has(octet) ? `\\${String.fromCharCode(octet)}` : String.fromCharCode(octet)
}

/**
 * Writes a name without its final dot (`.` for the root), in its letter case, escaped so that
 * `nameFromText(text, ROOT_NAME)` returns the same octets (RFC 4343 §2.1).
 *
 * @throws NameError `malformed-wire`, `name-too-long` when `wire` does not begin with a name
 */
export function nameToText(wire: Uint8Array): string {
  const end = nameLengthAt(wire) - 1
  if (end === 0) return '.'
  let text = ''
  for (let at = 0; at < end;) {
    const next = at + 1 + (wire[at] ?? 0)
    if (at > 0) text += '.'
    for (at += 1; at < next; at++) text += octetToText(wire[at] ?? 0)
  }
  return text
}
