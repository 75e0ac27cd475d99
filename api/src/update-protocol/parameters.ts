/**
 * The parameters of an update request, and what each is called. Clients were written for
 * many services, so most things have several names; all of them are taken everywhere.
 */
import { secretKindOf } from '../rules/secrets.ts'

/** Parameters by name; one that was given several times is a list. */
export type Parameters = Readonly<Record<string, string | readonly string[] | undefined>>

/** Names to update; the first of these that holds something counts. */
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
  /** What it means when it is there and empty. */
  readonly whenEmpty: 'detect' | 'withdraw' | 'keep'
}

/**
 * Addresses; a later one counts before an earlier one of the same family. An empty `myip`
 * asks for the caller's own address (DuckDNS, nsupdate.info), an empty `myipv4` for none
 * (deSEC), an empty `ipv4` for no change (dynv6).
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

/** The prefix of the names below the updated ones. */
export const PREFIX_PARAMETERS = ['ip6lanprefix', 'ipv6prefix'] as const

/** An update token or API key; routers put the password of an account there as well. */
export const PASSWORD_PARAMETERS = ['password', 'pass'] as const

/** An update token or API key. */
const SECRET_PARAMETERS = [...PASSWORD_PARAMETERS, 'token', 'key', 'k'] as const

export const USERNAME_PARAMETERS = ['username', 'user'] as const

/** Taken and without effect: what other services sell, and what tells nothing. */
const IGNORED_PARAMETERS = ['system', 'mx', 'backmx', 'url', 'forcehost', 'txt'] as const

/** What may be shown to the owner of a name: everything that is known and no secret. */
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

/** Values of one parameter that are looked at: the last ones, which count before the others. */
const VALUES_LIMIT = 20

export function valuesOf(parameters: Parameters, name: string): readonly string[] {
  const value = parameters[name]
  if (value === undefined) return []
  return typeof value === 'string' ? [value] : value.slice(-VALUES_LIMIT)
}

/** A text without the second URL that firmware appends to it, where its owner put two into one field. */
export function withoutSecondUrl(text: string): string {
  return text.includes('http') ? text.replace(/\shttps?:.*$/is, '') : text
}

/** The last value that was given, without spaces around it; '' when there is none. */
export function lastOf(parameters: Parameters, name: string): string {
  const value = parameters[name]
  if (value === undefined) return ''
  return (typeof value === 'string' ? value : (value.at(-1) ?? '')).trim()
}

/** Whether a switch is on, as the services write it: `YES`, `ON`, `true`, `1`. */
export function isOn(parameters: Parameters, name: string): boolean {
  return parameters[name] !== undefined && /^(yes|on|true|1)$/i.test(lastOf(parameters, name))
}

/** With names in lower case: some clients write `Hostname` or `MyIP`. */
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

/** The first secret of the parameters, be it right or not. */
export function secretIn(parameters: Parameters): string | undefined {
  for (const name of SECRET_PARAMETERS) {
    if (parameters[name] === undefined) continue
    const secret = valuesOf(parameters, name).find((text) => secretKindOf(text) !== undefined)
    if (secret !== undefined) return secret
  }
  return undefined
}
