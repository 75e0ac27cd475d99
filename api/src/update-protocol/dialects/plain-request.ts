/** The request that nearly every router sends: `hostname=home.example.net&myip=192.0.2.7`. */
import { LINES } from '../answer.ts'
import type { Parameters } from '../parameters.ts'
import { allowedAddress, type CallerAddress } from '../requested-addresses.ts'
import { hostOf } from '../requested-names.ts'
import type { UpdateRequest } from '../update-request.ts'

/**
 * Reads a request with one name in stored form and one address, and nothing else. The result is the
 * same as from the whole table of parameters, which takes three times as long. Undefined for any
 * other request, and for an invalid one.
 */
export function readPlainRequest(
  parameters: Parameters,
  { policy }: CallerAddress,
): UpdateRequest | undefined {
  for (const name in parameters) if (name !== 'hostname' && name !== 'myip') return undefined
  const { hostname, myip } = parameters
  if (typeof hostname !== 'string' || typeof myip !== 'string') return undefined
  const host = hostOf(hostname)
  if (host === undefined || host !== hostname) return undefined
  const address = allowedAddress(myip, policy)
  if (address === undefined) return undefined
  const { family, text } = address
  return {
    hosts: [host],
    addresses: family === 4 ? { ipv4: text, said: myip } : { ipv6: text, said: myip },
    related: undefined,
    wantsWildcard: false,
    isRepaired: false,
    parameters,
    answers: LINES,
  }
}
