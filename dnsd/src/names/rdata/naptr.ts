/* Checks of the fields of a NAPTR record (RFC 3402, RFC 3403). */
import { RdataError } from './rdata-error.ts'

/** Order and preference, 16 bits each. */
const STRINGS_AT = 4

// RFC 3402 §3.2: delim-character ere delim-character repl delim-character *flags, where the delimiter is neither a digit,
// nor a flag, nor a backslash, and a backslash escapes the next character.
const SUBSTITUTION = /^([^0-9i\\])(?:(?!\1)[^\\]|\\.)+\1(?:(?!\1)[^\\]|\\.)*\1i*$/s

function stringAt(wire: Buffer, start: number): string {
  return wire.toString('latin1', start + 1, start + 1 + (wire[start] ?? 0))
}

/**
 * Checks well-formed NAPTR RDATA: flags are letters and digits, and the rewrite is either a substitution or a replacement,
 * not both (RFC 3403 §4.1).
 *
 * @throws RdataError
 */
export function checkNaptr(wire: Buffer): void {
  const flags = stringAt(wire, STRINGS_AT)
  const servicesAt = STRINGS_AT + 1 + flags.length
  const regexpAt = servicesAt + 1 + stringAt(wire, servicesAt).length
  const regexp = stringAt(wire, regexpAt)
  const replacementIsRoot = wire[regexpAt + 1 + regexp.length] === 0
  if (!/^[0-9A-Za-z]*$/.test(flags)) throw new RdataError('the flags are letters and digits')
  if (regexp === '') return
  if (!SUBSTITUTION.test(regexp))
    throw new RdataError('the regexp has the form !expression!replacement!')
  if (!replacementIsRoot) throw new RdataError('either the regexp is "" or the replacement is "."')
}
