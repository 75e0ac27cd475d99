/**
 * The parameters of an update request and their names. Clients were written for many services, so
 * most parameters have several names. Every name is accepted everywhere.
 */
import { secretKindOf } from '../rules/secrets.ts'

/** Parameters by name. A parameter that was given several times is a list. */
export type Parameters = Readonly<Record<string, string | readonly string[] | undefined>>

/** Names to update. The first of these parameters that is not empty counts. */
export const HOST_PARAMETERS = [
  'hostname',
  'host',
  'domain',
  'domains',
  'fqdn',
  'host_id',
  'zone',
  'h',
] as const

export interface AddressParameter {
  readonly name: string
  readonly holds: 4 | 6 | 'any'
  /** The meaning of an empty value. */
  readonly whenEmpty: 'detect' | 'withdraw' | 'keep'
}

/**
 * Addresses. For the same family, a later parameter of this list takes precedence. An empty `myip`
 * means the caller's own address (DuckDNS, nsupdate.info), an empty `myipv4` withdraws the address
 * (deSEC), an empty `ipv4` changes nothing (dynv6).
 */
export const ADDRESS_PARAMETERS: readonly AddressParameter[] = [
  { name: 'ip', holds: 'any', whenEmpty: 'detect' },
  { name: 'address', holds: 'any', whenEmpty: 'detect' },
  { name: 'myip', holds: 'any', whenEmpty: 'detect' },
  { name: 'ipv4', holds: 4, whenEmpty: 'keep' },
  { name: 'myipv4', holds: 4, whenEmpty: 'withdraw' },
  { name: 'ip6', holds: 6, whenEmpty: 'keep' },
  { name: 'ip6addr', holds: 6, whenEmpty: 'keep' },
  { name: 'ipv6', holds: 6, whenEmpty: 'keep' },
  { name: 'myipv6', holds: 6, whenEmpty: 'withdraw' },
]

/** The prefix for the names below the updated ones. */
export const PREFIX_PARAMETERS = ['ip6lanprefix', 'ipv6prefix'] as const

/** An update token or API key. Routers also send account passwords here. */
export const PASSWORD_PARAMETERS = ['password', 'pass'] as const

/** An update token or API key. */
const SECRET_PARAMETERS = [...PASSWORD_PARAMETERS, 'token', 'key', 'k'] as const

export const USERNAME_PARAMETERS = ['username', 'user'] as const

/** Accepted and ignored: paid features of other services, and parameters without meaning here. */
const IGNORED_PARAMETERS = ['system', 'mx', 'backmx', 'url', 'forcehost', 'txt'] as const

/** What the owner of a name can see: every known parameter that is not a secret. */
export const SHOWN_PARAMETERS: ReadonlySet<string> = new Set<string>([
  ...HOST_PARAMETERS,
  ...ADDRESS_PARAMETERS.map(({ name }) => name),
  ...PREFIX_PARAMETERS,
  ...USERNAME_PARAMETERS,
  ...IGNORED_PARAMETERS,
  'offline',
  'clear',
  'wildcard',
  'verbose',
])

/**
 * Maximum number of values of one parameter that are read: the last ones, which take precedence.
 */
const VALUES_LIMIT = 20

export function valuesOf(parameters: Parameters, name: string): readonly string[] {
  const value = parameters[name]
  if (value === undefined) return []
  return typeof value === 'string' ? [value] : value.slice(-VALUES_LIMIT)
}

/** Removes the second URL that firmware appends when the user put two URLs into one field. */
export function withoutSecondUrl(text: string): string {
  return text.includes('http') ? text.replace(/\shttps?:.*$/is, '') : text
}

/** The last value, trimmed; '' when there is no value. */
export function lastOf(parameters: Parameters, name: string): string {
  const value = parameters[name]
  if (value === undefined) return ''
  return (typeof value === 'string' ? value : (value.at(-1) ?? '')).trim()
}

/** Whether a switch is on, in any of the services' spellings: `YES`, `ON`, `true`, `1`. */
export function isOn(parameters: Parameters, name: string): boolean {
  return parameters[name] !== undefined && /^(yes|on|true|1)$/i.test(lastOf(parameters, name))
}

/** Converts names to lower case: some clients write `Hostname` or `MyIP`. */
export function withLowerNames(parameters: Parameters): Parameters {
  const names = Object.keys(parameters)
  if (!names.some((name) => /[A-Z]/.test(name))) return parameters
  const lower = new Map<string, readonly string[]>()
  for (const name of names) {
    const known = lower.get(name.toLowerCase()) ?? []
    lower.set(name.toLowerCase(), [...known, ...valuesOf(parameters, name)])
  }
  return Object.fromEntries(lower)
}

/** The first secret in the parameters, valid or not. */
export function secretIn(parameters: Parameters): string | undefined {
  for (const name of SECRET_PARAMETERS) {
    if (parameters[name] === undefined) continue
    const secret = valuesOf(parameters, name).find((text) => secretKindOf(text) !== undefined)
    if (secret !== undefined) return secret
  }
  return undefined
}
