/**
 * DuckDNS: `domains`, `token`, `ip`, `ipv6`, `clear`, `verbose`, answered with one `OK` or `KO` for
 * all names. A single label means the caller's name that begins with it.
 */
import { okOrNot } from '../answer.ts'
import { isOn, lastOf } from '../parameters.ts'
import type { Dialect } from '../update-request.ts'
import { readCommon } from './dyndns2.ts'

export const duckdns: Dialect = {
  name: 'duckdns',
  read(parameters, caller) {
    // A call about a TXT record must not set the addresses to the caller's address.
    const mayDetect = lastOf(parameters, 'txt') === ''
    return {
      ...readCommon(parameters, caller, { mayDetect, mayBeLabels: true }),
      answers: okOrNot(isOn(parameters, 'verbose')),
    }
  },
}
