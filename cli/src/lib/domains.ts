/** Domains as this program shows them. */
import type { components } from '@homing/openapi/client'
import type { ApiClient } from './client.ts'
import { bodyOf } from './api.ts'
import { EXIT } from './exit-codes.ts'
import { CommandFailure, type ProblemDocument } from './failure.ts'
import { wholeName } from './names.ts'
import type { Fact, Listing } from './output.ts'
import { ago, printable } from './text.ts'

export type Domain = components['schemas']['Domain']

export const DOMAIN_FIELDS = [
  'id',
  'fqdn',
  'zone',
  'rrtype',
  'record_ip',
  'record_ipv4',
  'record_ipv6',
  'is_forwarded',
  'published_ipv4',
  'published_ipv6',
  'ttl',
  'is_active',
  'withheld_by',
  'is_wildcard',
  'wildcard_enabled',
  'monitor_enabled',
  'monitor_kind',
  'monitor_port',
  'monitor_state',
  'last_update_at',
  'created_at',
  'created_cc',
  'user_id',
  'username',
  'paused',
  'note',
  'tags',
  'last_update_client',
  'version',
] as const satisfies readonly (keyof Domain)[]

export function addressesOf({ record_ipv4, record_ipv6 }: Domain): string[] {
  return [record_ipv4, record_ipv6].filter((address) => address !== null)
}

/** How DNS serves a domain, in a word or two. */
function stateOf(domain: Domain): string {
  if (domain.paused) return 'paused'
  if (!domain.is_active) return 'withheld'
  if (domain.is_forwarded) return 'forwarded'
  if (addressesOf(domain).length === 0) return 'no address'
  return domain.is_wildcard ? 'wildcard' : 'served'
}

const updated = ({ last_update_at }: Domain) =>
  last_update_at === null ? 'never' : ago(last_update_at, Date.now())

export const domainListing: Listing<Domain> = {
  columns: [
    { title: 'DOMAIN', of: ({ fqdn }) => fqdn },
    { title: 'ADDRESS', of: (domain) => addressesOf(domain) },
    { title: 'TTL', of: ({ ttl }) => `${ttl} s`, dropFirst: 2 },
    { title: 'UPDATED', of: updated, dropFirst: 1 },
    { title: 'STATE', of: stateOf },
  ],
  fields: (domain) => [
    domain.fqdn,
    domain.record_ipv4,
    domain.record_ipv6,
    domain.ttl,
    stateOf(domain),
    domain.last_update_at,
  ],
}

/** What DNS publishes, where that differs from the stored addresses. */
function publishedFacts({ is_forwarded, published_ipv4, published_ipv6 }: Domain): Fact[] {
  if (!is_forwarded) return []
  return [['published', [...published_ipv4, ...published_ipv6].join(', ')]]
}

export function domainFacts(domain: Domain): Fact[] {
  return [
    ['domain', domain.fqdn],
    ['zone', domain.zone],
    ['ipv4', domain.record_ipv4],
    ['ipv6', domain.record_ipv6],
    ...publishedFacts(domain),
    ['ttl', domain.ttl],
    ['state', stateOf(domain)],
    ['wildcard', domain.wildcard_enabled ? 'yes' : 'no'],
    ['monitor', domain.monitor_state ?? 'off'],
    ['tags', domain.tags.join(', ')],
    ['note', domain.note],
    ['updated', domain.last_update_at],
    ['created', domain.created_at],
    ['version', domain.version],
  ]
}

/** A domain of the caller, in full or by its first label. @throws CommandFailure as `ofName` */
export async function findDomain(api: ApiClient, typed: string): Promise<Domain> {
  const fqdn = await wholeName(api, typed)
  const answer = await api.GET('/api/domains/fqdn/{fqdn}', { params: { path: { fqdn } } })
  return bodyOf(ofName(fqdn, answer), 'fqdn')
}

/**
 * A response about a domain.
 *
 * @throws CommandFailure that names the domain when the caller does not have it; the service does
 * not reveal whether somebody else has it
 */
export function ofName<A extends { readonly error?: unknown }>(fqdn: string, answer: A): A {
  const { error } = answer
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : ''
  if (code !== 'not-found') return answer
  const message = `You have no domain ${printable(fqdn)}. List your domains: homing domains`
  throw new CommandFailure(EXIT.notFound, message, error as ProblemDocument)
}
