/*
 * The content that an account had in an own zone when another account proved the domain (`zone_claims.kept`).
 *
 * Its domains and records leave the zone with it. They come back if the account proves the domain again, with their
 * histories, and with the update tokens, web forwards and monitors of the domains.
 */
import type { Knex } from 'knex'
import { qualified, query } from '../database/sql.ts'
import type { KeptForward } from '../models/deleted-domain.ts'
import { Domain } from '../models/domain.ts'
import { type KeptContent, ZoneClaim, type ZoneClaimRow } from '../models/zone-claim.ts'
import { SYSTEM } from './address-change.ts'
import type { ZoneOwners } from './change-set.ts'
import { recordEvents } from './domain-events.ts'
import { KEPT_FORWARD, restoreForward } from './kept-forward.ts'
import { KEPT_MONITOR, monitorsOf } from './kept-monitor.ts'
import { lockDomains } from './lock-order.ts'
import type { OwnZoneRow } from './own-zones.ts'
import type { DomainRow } from './rows.ts'

const DOMAIN = `id, user_id, base_id, fqdn, is_wildcard, rrtype, record_ipv4, record_ipv6, ttl, paused, note, tags,
  version, last_update_at, last_update_client, allowance_full_at, created_at, created_cc`
const DOMAIN_COLUMNS = qualified(DOMAIN, 'd')
const TOKEN =
  'domain_id, prefix, secret_digest, created_at, last_used_at, last_used_ip, last_client'
const TOKEN_COLUMNS = qualified(TOKEN, 't')

const CONTENT = `
  select json_build_object(
    'domains', coalesce((
      select json_agg(to_jsonb(x) order by x.base_id nulls first, x.id)
      from (select ${DOMAIN_COLUMNS}, ${KEPT_FORWARD} as forward, ${KEPT_MONITOR} as monitor
            from domains d where d.zone_id = ?) x), '[]'),
    'tokens', coalesce((
      select json_agg(to_jsonb(t)) from update_tokens t join domains d on d.id = t.domain_id where d.zone_id = ?), '[]'),
    'records', coalesce((
      select json_agg(json_build_object('owner', r.owner, 'type', r.type, 'ttl', r.ttl, 'rdata', r.rdata,
                                        'domain_id', r.domain_id, 'user_id', r.user_id))
      from records r where r.zone_id = ? and r.origin = 'user'), '[]')) as content`

/** Reads the content of a zone. */
export async function contentOf(trx: Knex.Transaction, { id }: OwnZoneRow): Promise<KeptContent> {
  const [row] = await query<{ content: KeptContent }>(trx, CONTENT, [id, id, id])
  if (row === undefined) throw new Error('a query without rows')
  return row.content
}

/** A domain of a zone. */
export type ZoneDomain = Pick<Domain, 'id' | 'fqdn' | 'locked'>

/** The domains of a zone, locked until the transaction ends. */
export async function lockDomainsOf(
  trx: Knex.Transaction,
  { id }: Pick<OwnZoneRow, 'id'>,
): Promise<ZoneDomain[]> {
  const found = await Domain.query(trx).select('id').where('zone_id', id)
  return lockDomains(
    trx,
    found.map((domain) => domain.id),
  )
}

/**
 * Deletes the domains of a zone that ends or gets another owner. Their names are not reserved: they belong to the owner of
 * the zone.
 *
 * @returns the names whose web forwards ended
 */
export async function removeDomainsOf(
  trx: Knex.Transaction,
  domains: readonly ZoneDomain[],
  actor = SYSTEM,
): Promise<string[]> {
  const ids = domains.map(({ id }) => id)
  if (ids.length === 0) return []
  await recordEvents(trx, 'deleted', ids, actor)
  await Domain.query(trx).delete().whereIn('id', ids)
  return domains.map(({ fqdn }) => fqdn)
}

const BRING_BACK = `
  with content as materialized (select ?::jsonb as kept, ?::bigint as zone_id), back as (
    insert into domains (${DOMAIN}, zone_id, locked) overriding system value
    select ${DOMAIN_COLUMNS}, content.zone_id,
           exists (select from locked_names l where l.fqdn = any (names_at_or_above(d.fqdn)))
    from content, jsonb_populate_recordset(null::domains, content.kept -> 'domains') d
    order by d.base_id nulls first, d.id
    returning id, user_id, fqdn
  ), had as (
    select b.id, b.user_id, b.fqdn, nullif(d.kept -> 'forward', 'null') as forward, nullif(d.kept -> 'monitor', 'null') as monitor
    from content, jsonb_array_elements(content.kept -> 'domains') as d (kept)
    join back b on b.id = (d.kept ->> 'id')::bigint
  ), ${monitorsOf('had')}, forgotten as (
    delete from former_domains f using back b where f.domain_id = b.id
  ), tokens as (
    insert into update_tokens (${TOKEN})
    select ${TOKEN_COLUMNS} from content, jsonb_populate_recordset(null::update_tokens, content.kept -> 'tokens') t
  ), placed as (
    insert into records (zone_id, domain_id, owner, type, ttl, rdata, origin, user_id)
    select content.zone_id, r.domain_id, r.owner, r.type, r.ttl, r.rdata, 'user', r.user_id
    from content, jsonb_populate_recordset(null::records, content.kept -> 'records') r
    where r.owner <> all (?::text[]) or r.type not in ('CNAME', 'NS')
    on conflict (zone_id, owner, type) do nothing
  )
  select id, fqdn, forward from had order by id`

/** What gets back what was lost. */
interface Returning extends Pick<ZoneClaimRow, 'id' | 'user_id'> {
  /** Where the name servers of the zone have their addresses now. */
  readonly hosts: readonly string[]
}

/** The web forward that a domain had. */
export interface DomainForward {
  readonly domainId: string
  readonly fqdn: string
  readonly forward: KeptForward
}

/**
 * Brings back what the account lost with the domain earlier, except for its web forwards.
 *
 * @returns the kept web forwards of the domains that came back
 */
export async function restoreKept(
  trx: Knex.Transaction,
  { id: claimId, user_id: userId, hosts }: Returning,
  { id, name }: OwnZoneRow,
): Promise<DomainForward[]> {
  const [lost] = await ZoneClaim.query(trx)
    .select('id', 'kept')
    .where({ user_id: userId, name })
    .whereNotNull('kept')
    .orderBy('id', 'desc')
    .limit(1)
  if (lost === undefined || lost.kept === null) return []
  const back = await query<{ id: string; fqdn: string; forward: KeptForward | null }>(
    trx,
    BRING_BACK,
    [JSON.stringify(lost.kept), id, hosts],
  )
  await recordEvents(
    trx,
    'undeleted',
    back.map((domain) => domain.id),
    SYSTEM,
  )
  await query(trx, 'update zone_events set claim_id = ? where claim_id = ?', [claimId, lost.id])
  await ZoneClaim.query(trx).patch({ kept: null }).where({ user_id: userId, name })
  return back.flatMap(({ id: domainId, fqdn, forward }) =>
    forward === null ? [] : [{ domainId, fqdn, forward }],
  )
}

/** Web forwards that came back, and what the caller publishes if the zone is loaded as a whole. */
interface RestoredForwards {
  readonly forwards: readonly DomainForward[]
  readonly changes: readonly ZoneOwners[]
}

/** Brings back the web forwards of domains that `restoreKept` brought back, as far as their targets are allowed today. */
export async function restoreForwards(
  trx: Knex.Transaction,
  kept: readonly DomainForward[],
): Promise<RestoredForwards> {
  const ids = kept.map(({ domainId }) => domainId)
  // No lock: this transaction has made them.
  const bases = await Domain.query(trx).whereIn('id', ids).toKnexQuery<DomainRow>()
  const baseOf = new Map(bases.map((base) => [base.id, base]))
  const forwards: DomainForward[] = []
  const changes: ZoneOwners[] = []
  for (const each of kept) {
    const base = baseOf.get(each.domainId)
    if (base === undefined) throw new Error(`${each.fqdn} did not come back`)
    const published = await restoreForward(trx, base, each.forward, SYSTEM)
    if (published.length > 0) forwards.push(each)
    changes.push(...published)
  }
  // A zone that is loaded as a whole needs no names.
  return {
    forwards,
    changes: changes.map(({ zoneId, forwards: names = [] }) => ({
      zoneId,
      owners: [],
      forwards: names,
    })),
  }
}
