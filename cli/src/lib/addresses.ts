/** IP addresses on the command line. */
import { isIPv4, isIPv6 } from 'node:net'
import { usage } from './failure.ts'

export interface AddressFields {
  record_ipv4?: string | null
  record_ipv6?: string | null
}

/**
 * The addresses by family. Each text has one address, or several with commas between them.
 *
 * @throws CommandFailure if a family occurs twice, or a text is not an address
 */
export function byFamily(texts: readonly string[]): AddressFields {
  const chosen: AddressFields = {}
  const addresses = texts.flatMap((text) => text.split(',')).map((text) => text.trim())
  for (const address of addresses) {
    const family = isIPv4(address) ? 'record_ipv4' : 'record_ipv6'
    // A scope (fe80::1%eth0) is valid only on one machine.
    if (family === 'record_ipv6' && (!isIPv6(address) || address.includes('%'))) {
      throw usage(`--ip takes an IPv4 or IPv6 address; "${address}" is neither.`)
    }
    if (chosen[family] !== undefined) {
      throw usage('--ip takes at most one address of each family.')
    }
    chosen[family] = address
  }
  return chosen
}
