/*
 * Changes by owners that are more than new addresses: a pause, a note, tags, and addresses together with them.
 *
 * New addresses alone go through the coalescer, because they are many. This module writes domains that its
 * transaction has locked; its callers ask the same SQL function as the coalescer whether the addresses may change
 * (`judge`). A pause stops DNS from serving the domain and its wildcard, and resuming serves them again;
 * both count as changes for the rate limit of the domain. Notes and tags do not concern DNS.
 */
import type { DomainEventKind } from '@homing/openapi/vocabulary'
import type { Knex } from 'knex'
import { query } from '../database/sql.ts'
import { type Actor, CHANGE_BURST, CHANGE_REFILL_SECONDS } from './address-change.ts'
import { lockDomains } from './lock-order.ts'
import { publishDomains } from './publish.ts'
import type { DomainRow } from './rows.ts'

/** The values that an owner can change; omitted ones stay as they are. */
export interface DomainValues {
  /** Canonical text, checked by the caller. */
  readonly ipv4?: string | null | undefined
  readonly ipv6?: string | null | undefined
  readonly paused?: boolean | undefined
  readonly note?: string | null | undefined
  readonly tags?: readonly string[] | undefined
}

interface Event {
  readonly kind: DomainEventKind
  readonly old_ipv4?: string | null
  readonly old_ipv6?: string | null
  readonly new_ipv4?: string | null
  readonly new_ipv6?: string | null
  readonly detail?: { readonly old: unknown; readonly new: unknown }
}

/** Locks a domain and then its wildcard, which has a higher id. Undefined: the domain does not exist. */
export async function holdDomain(
  trx: Knex.Transaction,
  domainId: string,
): Promise<DomainRow | undefined> {
  const [base] = await lockDomains(trx, [domainId])
  if (base === undefined) return undefined
  const wildcards = await query<{ id: string }>(trx, 'select id from domains where base_id = ?', [
    domainId,
  ])
  await lockDomains(
    trx,
    wildcards.map(({ id }) => id),
  )
  return base
}

/** Seconds until the rate limit of each domain allows a change; 0: it allows one now. */
export async function changeWaits(
  trx: Knex.Transaction,
  domainIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (domainIds.length === 0) return new Map()
  const rows = await query<{ id: string; wait_seconds: number | null }>(
    trx,
    `select id, ceil(allowance_wait_seconds(allowance_full_at, ?, ?))::int as wait_seconds
     from domains where id = any (?::bigint[])`,
    [CHANGE_REFILL_SECONDS, CHANGE_BURST, domainIds],
  )
  return new Map(rows.map(({ id, wait_seconds }) => [id, Math.max(0, wait_seconds ?? 0)]))
}

/** Whether the values pause a domain that runs, or resume a paused one. */
export const isPauseTurned = (base: DomainRow, { paused = base.paused }: DomainValues): boolean =>
  paused !== base.paused

const isSameList = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((item, n) => item === other[n])

/** What the values change: an event for each subject. Empty: nothing. */
function eventsOf(base: DomainRow, values: DomainValues): Event[] {
  const { ipv4 = base.record_ipv4, ipv6 = base.record_ipv6 } = values
  const { paused = base.paused, note = base.note, tags = base.tags } = values
  const events: Event[] = []
  if (ipv4 !== base.record_ipv4 || ipv6 !== base.record_ipv6) {
    events.push({
      kind: 'address',
      old_ipv4: base.record_ipv4,
      old_ipv6: base.record_ipv6,
      new_ipv4: ipv4,
      new_ipv6: ipv6,
    })
  }
  if (paused !== base.paused) events.push({ kind: paused ? 'paused' : 'resumed' })
  if (note !== base.note) events.push({ kind: 'note', detail: { old: base.note, new: note } })
  if (!isSameList(tags, base.tags)) {
    events.push({ kind: 'tags', detail: { old: base.tags, new: tags } })
  }
  return events
}

// The wildcard follows its base in everything that DNS serves.
const WRITE = `
  with wanted as materialized (
    select * from json_to_recordset(?::json) as w(
      id bigint, is_published boolean, is_moved boolean, ipv4 inet, ipv6 inet, paused boolean, note text, tags text[],
      actor text, actor_id bigint, source_ip inet, client text, undoes bigint, events json)
  ), target as (
    select id as row_id, id from wanted
    union all
    select d.id, w.id from wanted w join domains d on d.base_id = w.id where w.is_published
  ), written as (
    update domains d
    set record_ipv4 = w.ipv4, record_ipv6 = w.ipv6, paused = w.paused, version = d.version + 1,
        note = case when d.id = w.id then w.note else d.note end,
        tags = case when d.id = w.id then w.tags else d.tags end,
        last_update_at = case when w.is_moved then now() else d.last_update_at end,
        last_update_client = case when not w.is_moved then d.last_update_client
          when w.actor <> 'administrator' then w.client end,
        allowance_full_at = case when w.is_published
          then greatest(d.allowance_full_at, now()) + make_interval(secs => ${CHANGE_REFILL_SECONDS})
          else d.allowance_full_at end
    from target t join wanted w on w.id = t.id where d.id = t.row_id
    returning d.id, d.user_id, d.fqdn, w.is_published
  ), history as (
    insert into domain_events (domain_id, user_id, fqdn, kind, actor, actor_id, source_ip, client,
                               old_ipv4, old_ipv6, new_ipv4, new_ipv6, detail, undoes)
    select d.id, d.user_id, d.fqdn, e.kind, w.actor, w.actor_id, w.source_ip, w.client,
           e.old_ipv4, e.old_ipv6, e.new_ipv4, e.new_ipv6, e.detail, w.undoes
    from wanted w join written d on d.id = w.id
    cross join lateral json_to_recordset(w.events) as e(
      kind text, old_ipv4 inet, old_ipv6 inet, new_ipv4 inet, new_ipv6 inet, detail jsonb)
  )
  select id from written where is_published`

/** New values of a domain that the transaction has locked with its wildcard. The caller has checked that they are allowed. */
export interface HeldChange {
  readonly base: DomainRow
  readonly values: DomainValues
  /** The event that this change undoes. */
  readonly undoes?: string
}

/** A change as `WRITE` takes it; undefined when it changes nothing. */
function entryOf({ base, values, undoes }: HeldChange, actor: Actor): object | undefined {
  const events = eventsOf(base, values)
  if (events.length === 0) return undefined
  const is_moved = events.some(({ kind }) => kind === 'address')
  const is_published = is_moved || events.some(({ kind }) => isAboutServing(kind))
  const { ipv4 = base.record_ipv4, ipv6 = base.record_ipv6 } = values
  const { paused = base.paused, note = base.note, tags = base.tags } = values
  const { kind, id: actor_id, sourceIp: source_ip, client } = actor
  const wanted = { id: base.id, is_published, is_moved, ipv4, ipv6, paused, note, tags }
  return { ...wanted, actor: kind, actor_id, source_ip, client, undoes, events }
}

/** The ids of the domains and wildcards that DNS has to serve differently; undefined when no domain changed. */
type Served = readonly string[] | undefined

/**
 * Writes the values of domains, each at most once, and an event for each subject. It publishes nothing: a transaction
 * publishes once, at its end.
 */
export async function changeHeldDomains(
  trx: Knex.Transaction,
  changes: readonly HeldChange[],
  actor: Actor,
): Promise<Served> {
  const entries = changes
    .map((change) => entryOf(change, actor))
    .filter((entry) => entry !== undefined)
  if (entries.length === 0) return undefined
  const rows = await query<{ id: string }>(trx, WRITE, [JSON.stringify(entries)])
  return rows.map(({ id }) => id)
}

/**
 * Writes the values of a domain, and publishes it if DNS has to serve something else.
 *
 * @returns whether anything changed
 */
export async function changeDomain(
  trx: Knex.Transaction,
  change: HeldChange,
  actor: Actor,
): Promise<boolean> {
  const served = await changeHeldDomains(trx, [change], actor)
  if (served === undefined) return false
  if (served.length > 0) await publishDomains(trx, served)
  return true
}

/** Whether an event of this kind starts or ends the service of the domain. */
const isAboutServing = (kind: DomainEventKind): boolean => kind === 'paused' || kind === 'resumed'
