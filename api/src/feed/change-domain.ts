/*
 * Changes by owners that are more than new addresses: a pause, a note, tags, and addresses together with them.
 *
 * New addresses alone go through the coalescer, because they are many. This module writes one domain in one
 * transaction, and asks the same SQL function as the coalescer whether its addresses may change
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

/** A base domain that the transaction has locked, with its wildcard. */
export interface HeldDomain {
  readonly base: DomainRow
  readonly wildcardIds: readonly string[]
}

/** Locks a domain and then its wildcard, which has a higher id. Undefined: the domain does not exist. */
export async function holdDomain(
  trx: Knex.Transaction,
  domainId: string,
): Promise<HeldDomain | undefined> {
  const [base] = await lockDomains(trx, [domainId])
  if (base === undefined) return undefined
  const wildcards = await query<{ id: string }>(trx, 'select id from domains where base_id = ?', [
    domainId,
  ])
  const locked = await lockDomains(
    trx,
    wildcards.map(({ id }) => id),
  )
  return { base, wildcardIds: locked.map(({ id }) => id) }
}

/** Seconds until the rate limit of the domain allows a change; 0: it allows one now. */
export async function changeWaitSeconds(trx: Knex.Transaction, domainId: string): Promise<number> {
  const [row] = await query<{ wait_seconds: number | null }>(
    trx,
    `select ceil(allowance_wait_seconds(allowance_full_at, ?, ?))::int as wait_seconds
     from domains where id = ?`,
    [CHANGE_REFILL_SECONDS, CHANGE_BURST, domainId],
  )
  return Math.max(0, row?.wait_seconds ?? 0)
}

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
  with wanted as (
    select * from json_to_record(?::json) as w(
      id bigint, is_published boolean, is_moved boolean, ipv4 inet, ipv6 inet, paused boolean, note text, tags text[],
      actor text, actor_id bigint, source_ip inet, client text, undoes bigint, events json)
  ), written as (
    update domains d
    set record_ipv4 = w.ipv4, record_ipv6 = w.ipv6, paused = w.paused, version = d.version + 1,
        note = case when d.id = w.id then w.note else d.note end,
        tags = case when d.id = w.id then w.tags else d.tags end,
        last_update_at = case when w.is_moved then now() else d.last_update_at end,
        allowance_full_at = case when w.is_published
          then greatest(d.allowance_full_at, now()) + make_interval(secs => ${CHANGE_REFILL_SECONDS})
          else d.allowance_full_at end
    from wanted w where d.id = w.id or (w.is_published and d.base_id = w.id)
    returning d.id, d.user_id, d.fqdn
  )
  insert into domain_events (domain_id, user_id, fqdn, kind, actor, actor_id, source_ip, client,
                             old_ipv4, old_ipv6, new_ipv4, new_ipv6, detail, undoes)
  select d.id, d.user_id, d.fqdn, e.kind, w.actor, w.actor_id, w.source_ip, w.client,
         e.old_ipv4, e.old_ipv6, e.new_ipv4, e.new_ipv6, e.detail, w.undoes
  from wanted w join written d on d.id = w.id
  cross join lateral json_to_recordset(w.events) as e(
    kind text, old_ipv4 inet, old_ipv6 inet, new_ipv4 inet, new_ipv6 inet, detail jsonb)`

/**
 * Writes the values of a domain, an event for each subject, and publishes the domain if DNS has to serve something
 * else. The caller has checked that the values may change.
 *
 * @param undoes the event that this change undoes
 * @returns whether anything changed
 */
export async function changeDomain(
  trx: Knex.Transaction,
  { base, wildcardIds }: HeldDomain,
  values: DomainValues,
  actor: Actor,
  undoes: string | null = null,
): Promise<boolean> {
  const events = eventsOf(base, values)
  if (events.length === 0) return false
  const is_moved = events.some(({ kind }) => kind === 'address')
  const is_published = is_moved || events.some(({ kind }) => isAboutServing(kind))
  const { ipv4 = base.record_ipv4, ipv6 = base.record_ipv6 } = values
  const { paused = base.paused, note = base.note, tags = base.tags } = values
  const { kind, id: actor_id, sourceIp: source_ip, client } = actor
  const wanted = { id: base.id, is_published, is_moved, ipv4, ipv6, paused, note, tags }
  const who = { actor: kind, actor_id, source_ip, client, undoes }
  await query(trx, WRITE, [JSON.stringify({ ...wanted, ...who, events })])
  if (is_published) await publishDomains(trx, [base.id, ...wildcardIds])
  return true
}

/** Whether an event of this kind starts or ends the service of the domain. */
const isAboutServing = (kind: DomainEventKind): boolean => kind === 'paused' || kind === 'resumed'
