/** Calls of the update protocol, as its reader reads them. */
import { dyndns2 } from '../../src/update-protocol/dialects/dyndns2.ts'
import type { Parameters } from '../../src/update-protocol/parameters.ts'

/** Whose addresses are told. */
export const HOST = 'home.homing.test'
/** Where calls come from. */
export const V4 = '198.51.100.7'
export const V6 = '2001:db8:c::7'

/** A call, as far as it could be read. */
export const read = (parameters: Parameters, detected: string | undefined = V4) =>
  dyndns2.read(parameters, { detected, policy: 'any' })
/** The names that are asked for. */
export const hostsOf = (hostname: string | string[]) => read({ hostname }).hosts
/** What is wanted, without what only related names need. */
export function wanted(parameters: Parameters, detected?: string) {
  const { addresses } = read({ hostname: HOST, ...parameters }, detected)
  if (addresses === undefined) return undefined
  const { network: _, ipv6Prefix, ...plain } = addresses
  return ipv6Prefix ? { ...plain, ipv6Prefix: ipv6Prefix.bits } : plain
}
