/**
 * The common dialect, which Dyn began and everybody took over (`hostname`, `myip`), with
 * what other services added to it.
 */
import { LINES } from '../answer.ts'
import { isOn, type Parameters } from '../parameters.ts'
import { readPlainRequest } from './plain-request.ts'
import { readRelated } from '../related-wish.ts'
import { type CallerAddress, readAddresses, type WantedAddresses } from '../requested-addresses.ts'
import { readHosts } from '../requested-names.ts'
import type { Dialect, UpdateRequest } from '../update-request.ts'

/** Whether a text goes on with a second URL, of which the first part is taken. Asked of every request, so it makes nothing. */
function hasSecondUrl(parameters: Parameters): boolean {
  for (const name in parameters) {
    const value = parameters[name]
    if (value === undefined) continue
    const text = typeof value === 'string' ? value : value.join(' ')
    if (text.includes('http') && /\shttps?:/i.test(text)) return true
  }
  return false
}

/** No address of either family; what was sent is repeated all the same, because clients compare. */
function withdrawn(sent: WantedAddresses | undefined): WantedAddresses {
  return { ipv4: null, ipv6: null, said: sent?.said ?? '' }
}

interface ReadingOptions {
  /** Whether a request that mentions no address means the caller's own. */
  readonly mayDetect?: boolean
  /** Whether `home` stands for the caller's name that begins so. */
  readonly mayBeLabels?: boolean
}

/** Reads a request of any dialect whose parameters are those of the table. */
export function readCommon(
  parameters: Parameters,
  caller: CallerAddress,
  options: ReadingOptions = {},
): UpdateRequest {
  return readPlainRequest(parameters, caller) ?? readWholeTable(parameters, caller, options)
}

/** Looks for every parameter that there is. */
export function readWholeTable(
  parameters: Parameters,
  caller: CallerAddress,
  options: ReadingOptions = {},
): UpdateRequest {
  const isOffline = isOn(parameters, 'offline') || isOn(parameters, 'clear')
  const sent = readAddresses(parameters, caller, !isOffline && options.mayDetect !== false)
  const related = isOffline ? undefined : readRelated(parameters, caller, sent?.network)
  return {
    hosts: readHosts(parameters, options.mayBeLabels),
    addresses: isOffline ? withdrawn(sent) : related === null ? undefined : sent,
    related: related ?? undefined,
    wantsWildcard: isOn(parameters, 'wildcard'),
    isRepaired: hasSecondUrl(parameters),
    parameters,
    answers: LINES,
  }
}

export const dyndns2: Dialect = { name: 'dyndns2', read: readCommon }

/** `/nic/delete`: the families of the addresses that are given have none any more, or both (nsupdate.info). */
export const dyndns2Delete: Dialect = {
  name: 'dyndns2',
  read(parameters, caller) {
    const request = readCommon(parameters, caller, { mayDetect: false })
    const { addresses } = request
    if (addresses === undefined) return request
    const { ipv4, ipv6, ipv6Prefix, said } = addresses
    const isIpv6 = ipv6 !== undefined || ipv6Prefix !== undefined
    const all = ipv4 === undefined && !isIpv6
    return {
      ...request,
      related: undefined,
      wantsWildcard: false,
      addresses: {
        ...(all || ipv4 !== undefined ? { ipv4: null } : {}),
        ...(all || isIpv6 ? { ipv6: null } : {}),
        said,
      },
    }
  },
}
