/** Reads a pasted list of domains: one per line, a name and up to two addresses. */
import type { BatchCreate } from '../../../api/domain-batch.ts'
import { splitName, wholeName } from '../new-name.ts'
import { faultInAddress, recordTypeOf } from './address-fault.ts'

/** One line of the list. */
export interface PastedLine {
  /** From 1, with empty lines counted. */
  readonly number: number
  /** The full name. */
  readonly fqdn: string
  readonly addresses: readonly string[]
  /** What is wrong with the line before the service sees it. */
  readonly fault: string | undefined
}

/** Spreadsheets paste tabs, and exports have commas. */
const SEPARATORS = /[\s,;]+/

function faultIn(addresses: readonly string[]): string | undefined {
  const wrong = addresses.map((text) => faultInAddress(text)).find((fault) => fault !== undefined)
  if (wrong !== undefined) return wrong
  const types = addresses.map(recordTypeOf)
  if (new Set(types).size === types.length) return undefined
  return 'A domain can have one IPv4 address and one IPv6 address.'
}

/**
 * The lines of a text, without empty ones and comments (`#`).
 *
 * @param zone the zone of names that are in none of `zones`
 */
export function linesOf(text: string, zone: string, zones: readonly string[]): PastedLine[] {
  return text.split('\n').flatMap((line, at) => {
    const [name = '', ...addresses] = line
      .replace(/#.*/, '')
      .split(SEPARATORS)
      .filter((part) => part !== '')
    if (name === '') return []
    const whole = name.toLowerCase().replace(/\.$/, '')
    const fqdn = splitName(whole, zones) === undefined ? wholeName(name, zone) : whole
    return [{ number: at + 1, fqdn, addresses, fault: faultIn(addresses) }]
  })
}

/** The operation of a line without a fault. */
export function operationOf(
  { fqdn, addresses }: PastedLine,
  zones: readonly string[],
): BatchCreate {
  const zone = splitName(fqdn, zones)?.zone
  const of = (type: 'A' | 'AAAA') => addresses.find((text) => recordTypeOf(text) === type)
  const [ipv4, ipv6] = [of('A'), of('AAAA')]
  return {
    op: 'create',
    fqdn,
    ...(zone === undefined ? {} : { zone }),
    ...(ipv4 === undefined && ipv6 !== undefined ? { rrtype: 'AAAA' } : {}),
    ...(ipv4 === undefined ? {} : { record_ipv4: ipv4 }),
    ...(ipv6 === undefined ? {} : { record_ipv6: ipv6 }),
  }
}

/** A text without the lines of some numbers. */
export const withoutLines = (text: string, numbers: ReadonlySet<number>): string =>
  text
    .split('\n')
    .filter((_, at) => !numbers.has(at + 1))
    .join('\n')
