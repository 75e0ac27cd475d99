/** Reads the domains that follow an updated one. */
import type { Knex } from 'knex'
import { query } from '../../database/sql.ts'
import type { HostState } from './host-reader.ts'

interface Row {
  readonly id: string
  readonly fqdn: string
  readonly ipv4: string | null
  readonly ipv6: string | null
  readonly version: number
  readonly withheld: boolean
  readonly is_forwarded: boolean
}

// An account has few domains, so they are read by owner and compared.
const READ = `
  select d.id, d.fqdn, host(d.record_ipv4) as ipv4, host(d.record_ipv6) as ipv6,
         d.version, d.locked or d.over_limit or d.owner_blocked as withheld, d.is_forwarded
  from domains d
  where d.user_id = ? and not d.is_wildcard and d.fqdn <> all (?::text[])
    and (d.fqdn = any (?::text[])
      or d.record_ipv6 is not null
     and exists (select from unnest(?::text[]) as base where right(d.fqdn, length(base) + 1) = '.' || base))`

/**
 * The named domains of an account, and its domains with an IPv6 address below a base. The bases
 * themselves are not included.
 *
 * @param options.isPrefixGiven whether domains below the bases are wanted
 */
export async function findRelatedHosts(
  knex: Knex,
  userId: string,
  bases: readonly string[],
  options: { readonly named: readonly string[]; readonly isPrefixGiven: boolean },
): Promise<HostState[]> {
  const above = options.isPrefixGiven ? bases : []
  const rows = await query<Row>(
    knex,
    READ,
    [userId, bases, options.named, above],
    'read-related-hosts',
  )
  return rows.map(({ id, fqdn, ipv4, ipv6, version, withheld, is_forwarded }) => ({
    domainId: id,
    fqdn,
    ipv4,
    ipv6,
    version,
    isWithheld: withheld,
    isForwarded: is_forwarded,
  }))
}
