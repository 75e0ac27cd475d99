/**
 * What an update request asks for, whatever its dialect: which names, and which
 * addresses. Reading the parameters of the common dialect (`hostname`, `myip`) into
 * that form is done here; it touches nothing else.
 */
import { NameError, parseHostName } from '@homing/dnsd/names'
import { type AddressPolicy, parseAddress } from '../../domain/addresses.ts'
import { Refusal } from '../../domain/errors.ts'

/** Most names of one request; more are answered `numhost`. */
export const HOSTS_LIMIT = 20

/** Parameters by name; one that was given several times is a list. */
export type Parameters = Readonly<Record<string, string | readonly string[] | undefined>>

/** The addresses that names shall have. A family left out is kept. */
export interface WantedAddresses {
  /** Canonical text. */
  readonly ipv4?: string
  /** Canonical text. */
  readonly ipv6?: string
  /** As the answer repeats them: in the client's order and spelling, with commas. */
  readonly said: string
}

/** A name that was asked for; undefined where the text is no fully qualified name. */
export type WantedHost = string | undefined

export interface UpdateRequest {
  /** In the order of the request; none at all when no name was given. */
  readonly hosts: readonly WantedHost[]
  /** Undefined: an address was given that names may not have, or none and the caller's is not known. */
  readonly addresses: WantedAddresses | undefined
}

const valuesOf = (value: string | readonly string[] | undefined): readonly string[] =>
  value === undefined ? [] : typeof value === 'string' ? [value] : value

function hostOf(text: string): WantedHost {
  try {
    const name = parseHostName(text)
    return name.includes('.') ? name : undefined
  } catch (error) {
    if (error instanceof NameError) return undefined
    throw error
  }
}

function hostsIn(list: string): WantedHost[] {
  const texts = list.split(',').map((text) => text.trim())
  return texts.filter((text) => text !== '').map(hostOf)
}

/** A parameter that was given twice (UniFi gateways do that): the last one in which every name is one. */
function readHosts(values: readonly string[]): WantedHost[] {
  const lists = values.map(hostsIn).filter((hosts) => hosts.length > 0)
  return lists.findLast((hosts) => !hosts.includes(undefined)) ?? lists.at(-1) ?? []
}

function textsOf(values: readonly string[]): string[] {
  const texts = values.flatMap((value) => value.split(',')).map((text) => text.trim())
  return texts.filter((text) => text !== '')
}

/**
 * Addresses as a name may have them, at most one of each family; the same one may be
 * given twice. Undefined for anything else.
 */
function readAddresses(
  texts: readonly string[],
  policy: AddressPolicy,
): WantedAddresses | undefined {
  let ipv4: string | undefined
  let ipv6: string | undefined
  try {
    for (const text of texts) {
      const address = parseAddress(text, policy, 'myip')
      const before = address.family === 4 ? ipv4 : ipv6
      if (before !== undefined && before !== address.text) return undefined
      if (address.family === 4) ipv4 = address.text
      else ipv6 = address.text
    }
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
  const said = texts.join(',')
  return { ...(ipv4 && { ipv4 }), ...(ipv6 && { ipv6 }), said }
}

/**
 * Reads `hostname` and `myip`. Everything else that clients send (`system`, `mx`,
 * `wildcard`, `offline`, …) is left alone.
 *
 * @param source the address that the request came from, for requests without `myip`;
 *   undefined when it is not known
 */
export function readUpdateRequest(
  parameters: Parameters,
  source: string | undefined,
  policy: AddressPolicy,
): UpdateRequest {
  const given = textsOf(valuesOf(parameters['myip']))
  const texts = given.length > 0 || source === undefined ? given : [source]
  return {
    hosts: readHosts(valuesOf(parameters['hostname'])),
    addresses: texts.length > 0 ? readAddresses(texts, policy) : undefined,
  }
}
