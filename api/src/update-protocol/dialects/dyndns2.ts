/**
 * The common dialect, which Dyn introduced and all services adopted (`hostname`, `myip`), with the
 * additions of other services.
 */
import { LINES } from '../answer.ts'
import { isOn, type Parameters } from '../parameters.ts'
import { readPlainRequest } from './plain-request.ts'
import { readRelated } from '../related-wish.ts'
import { type CallerAddress, readAddresses, type WantedAddresses } from '../requested-addresses.ts'
import { readHosts } from '../requested-names.ts'
import type { Dialect, UpdateRequest } from '../update-request.ts'

/**
 * Whether a value continues with a second URL; only the part before it is used. Runs on every request, so it allocates
 * nothing.
 */
function hasSecondUrl(parameters: Parameters): boolean {
  for (const name in parameters) {
    const value = parameters[name]
    if (value === undefined) continue
    const text = typeof value === 'string' ? value : value.join(' ')
    if (text.includes('http') && /\shttps?:/i.test(text)) return true
  }
  return false
}

/** Withdraws both families. The answer still repeats what was sent, because clients compare it. */
function withdrawn(sent: WantedAddresses | undefined): WantedAddresses {
  return { ipv4: null, ipv6: null, said: sent?.said ?? '' }
}

interface ReadingOptions {
  /** Whether a request without an address means the caller's own address. */
  readonly mayDetect?: boolean
  /** Whether `home` means the caller's name that begins with this label. */
  readonly mayBeLabels?: boolean
}

/** Reads a request of any dialect that uses the parameters of the table. */
export function readCommon(
  parameters: Parameters,
  caller: CallerAddress,
  options: ReadingOptions = {},
): UpdateRequest {
  return readPlainRequest(parameters, caller) ?? readWholeTable(parameters, caller, options)
}

/** Looks for every known parameter. */
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

/**
 * `/nic/delete` (nsupdate.info): withdraws the family of each address that is given, or both families when
 * none is given.
 */
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
