/** Calls of the update protocol, as parsed. */
import { dyndns2 } from '../../src/update-protocol/dialects/dyndns2.ts'
import type { Parameters } from '../../src/update-protocol/parameters.ts'

/** The host of the update URLs. */
export const HOST = 'home.homing.test'
/** The sources of calls. */
export const V4 = '198.51.100.7'
export const V6 = '2001:db8:c::7'

/** A call, as far as it could be parsed. */
export const read = (parameters: Parameters, detected: string | undefined = V4) =>
  dyndns2.read(parameters, { detected, policy: 'any' })
/** The requested names. */
export const hostsOf = (hostname: string | string[]) => read({ hostname }).hosts
/** The requested addresses, without the fields for related names. */
export function wanted(parameters: Parameters, detected?: string) {
  const { addresses } = read({ hostname: HOST, ...parameters }, detected)
  if (addresses === undefined) return undefined
  const { network: _, ipv6Prefix, ...plain } = addresses
  return ipv6Prefix ? { ...plain, ipv6Prefix: ipv6Prefix.bits } : plain
}
