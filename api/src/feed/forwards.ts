/*
 * Web forwards: the start, the changes and the end of the forward of a domain.
 *
 * A forward is about two feeds. While it is in force, DNS publishes the forwarders' addresses for the domain and its
 * wildcard (`domains.is_forwarded`), and the forward feed says what the forwarders do with requests for them. Each
 * function writes both, and nothing may be locked in the same transaction after it.
 *
 * The caller holds the account, its plan, the domain and its wildcard (`lockAccount`, `holdPlans`, `holdDomain`), and
 * passes the domain as it was read then. These locks make the count of the plan's flags exact, and keep new names below
 * a wildcard away.
 */
import type { Knex } from 'knex'
import { raw } from 'objection'
import { query } from '../database/sql.ts'
import { wildcardOf } from '../rules/names.ts'
import { WebForward, type WebForwardRow } from '../models/web-forward.ts'
import type { Actor } from './address-change.ts'
import { settleForwardFlags } from './forward-flags.ts'
import { ownersOfDomains, publish } from './publish.ts'
import type { DomainRow } from './rows.ts'

/** What the owner of a forward sets. */
const SETTINGS = [
  'target_url',
  'forwarding_type',
  'status_code',
  'title',
  'description',
  'keywords',
  'forward_path',
  'forward_query',
  'is_active',
] as const

/** What the examination of its target found. */
const FINDINGS = ['fallback', 'checked_at', 'check_result'] as const

/**
 * The settings of a forward and what the examination of its target found. A caller gives `fallback` as the
 * examination found it; whether a stealth forward has a flag of the plan is decided here.
 */
export type ForwardSettings = Pick<
  WebForwardRow,
  (typeof SETTINGS)[number] | (typeof FINDINGS)[number]
>

/** Why an administrator stops a forward. */
export interface ForwardDisabling {
  readonly reason: string
  /** Id of the administrator. */
  readonly by: string
}

export type ForwardEventKind = 'forward-started' | 'forward-changed' | 'forward-ended'

/** A forward as an event of the domain's history keeps it. Undo restores these settings. */
export type RecordedForward = Pick<WebForwardRow, (typeof SETTINGS)[number] | 'disabled_reason'>

/** An event of a forward that is to be undone. */
export interface ForwardUndo {
  readonly domainId: string
  readonly eventId: string
  readonly kind: ForwardEventKind
  /** The settings before the event; null: the domain had no forward. */
  readonly before: RecordedForward | null
  /**
   * Called in the transaction that restores them, with the domain locked.
   *
   * @throws Refusal when the domain has changed since, so that the event cannot be undone any more
   */
  readonly confirm: (trx: Knex.Transaction, base: DomainRow) => Promise<void>
}

const RECORDED = [...SETTINGS, 'disabled_reason'] as const

const recorded = (forward: WebForwardRow) =>
  Object.fromEntries(RECORDED.map((name) => [name, forward[name]]))

async function recordForward(
  trx: Knex.Transaction,
  kind: ForwardEventKind,
  { id, user_id, fqdn }: DomainRow,
  { before, after }: { readonly before?: WebForwardRow; readonly after?: WebForwardRow },
  actor: Actor,
  undoes?: string,
): Promise<void> {
  const detail = {
    old: before === undefined ? null : recorded(before),
    new: after === undefined ? null : recorded(after),
  }
  await query(
    trx,
    `insert into domain_events (domain_id, user_id, fqdn, kind, actor, actor_id, source_ip, client, detail, undoes)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      id,
      user_id,
      fqdn,
      kind,
      actor.kind,
      actor.id,
      actor.sourceIp,
      actor.client,
      JSON.stringify(detail),
      undoes ?? null,
    ],
  )
}

/** Whether requests are forwarded. A withheld domain keeps this; DNS and the forward feed leave it out. */
const isInForce = ({ is_active, disabled_at }: WebForwardRow) => is_active && disabled_at === null

// The wildcard follows its base.
const TURN = `
  update domains set is_forwarded = ?, version = version + 1
  where (id = ? or base_id = ?) and is_forwarded <> ?
  returning id`

/**
 * Publishes the domain with what its forward is now. DNS changes only when the forward comes into force or ends; for
 * another target, secondaries need no new serial.
 */
async function publishForward(
  trx: Knex.Transaction,
  base: DomainRow,
  isForwarded: boolean,
): Promise<void> {
  const turned = await query<{ id: string }>(trx, TURN, [
    isForwarded,
    base.id,
    base.id,
    isForwarded,
  ])
  const flags = await settleForwardFlags(trx, [base.user_id])
  const served = await ownersOfDomains(
    trx,
    turned.map(({ id }) => id),
  )
  const own = { zoneId: base.zone_id, owners: [], forwards: [base.fqdn, wildcardOf(base.fqdn)] }
  await publish(trx, [...served, own, ...flags.owners])
}

/** The row after the account's flags were assigned, which can change `fallback`. */
async function present(trx: Knex.Transaction, id: string): Promise<WebForwardRow> {
  const [row] = await WebForward.query(trx).where({ id }).toKnexQuery<WebForwardRow>()
  if (row === undefined) throw new Error(`web forward ${id} is gone although its domain is locked`)
  return row
}

/** Only a stealth forward has a page of its own. */
function consistent<S extends Partial<ForwardSettings>>(settings: S, type: string): S {
  if (type === 'stealth') return settings
  return { ...settings, title: null, description: null, keywords: null, fallback: null }
}

/**
 * Starts the forward of a domain that has none. An inactive one is stored and changes nothing that is published.
 *
 * A stealth forward without a free flag of the plan gets the fallback `plan`; a caller that refuses it asks
 * `stealthFlags` before.
 *
 * @param undoes the event of the domain that this start undoes
 * @throws DatabaseError (unique violation of `web_forwards_domain_id_key`) when the domain has a forward
 */
export async function startForward(
  trx: Knex.Transaction,
  base: DomainRow,
  settings: ForwardSettings,
  actor: Actor,
  undoes?: string,
): Promise<WebForwardRow> {
  const { id } = await WebForward.query(trx).insert({
    domain_id: base.id,
    user_id: base.user_id,
    ...consistent(settings, settings.forwarding_type),
  })
  const stored = await present(trx, id)
  await recordForward(trx, 'forward-started', base, { after: stored }, actor, undoes)
  await publishForward(trx, base, isInForce(stored))
  return present(trx, id)
}

/**
 * Changes the settings of a forward; omitted ones stay as they are. Another target begins its first seven days.
 * What the examination of the target found is stored too, and is not part of the history.
 *
 * @param undoes the event of the domain that this change undoes
 */
export async function changeForward(
  trx: Knex.Transaction,
  base: DomainRow,
  forward: Pick<WebForwardRow, 'id'>,
  settings: Partial<ForwardSettings>,
  actor: Actor,
  undoes?: string,
): Promise<WebForwardRow> {
  const before = await present(trx, forward.id)
  const wanted = {
    ...before,
    ...consistent(settings, settings.forwarding_type ?? before.forwarding_type),
  }
  const isChanged = SETTINGS.some((name) => wanted[name] !== before[name])
  const { target_url, version, fallback } = before
  const values = Object.fromEntries([...SETTINGS, ...FINDINGS].map((name) => [name, wanted[name]]))
  await WebForward.query(trx)
    .findById(before.id)
    .patch({
      ...values,
      version: isChanged || wanted.fallback !== fallback ? version + 1 : version,
      ...(wanted.target_url === target_url ? {} : { target_set_at: raw('now()') }),
    })
  const after = await present(trx, before.id)
  if (isChanged) await recordForward(trx, 'forward-changed', base, { before, after }, actor, undoes)
  await publishForward(trx, base, isInForce(after))
  return present(trx, before.id)
}

/** Stops a forward for an administrator, or lets it run again (`undefined`). Its owner's settings stay. */
export async function disableForward(
  trx: Knex.Transaction,
  base: DomainRow,
  forward: Pick<WebForwardRow, 'id'>,
  disabling: ForwardDisabling | undefined,
  actor: Actor,
): Promise<WebForwardRow> {
  const before = await present(trx, forward.id)
  await WebForward.query(trx)
    .findById(before.id)
    .patch({
      disabled_at: disabling === undefined ? null : raw('now()'),
      disabled_reason: disabling?.reason ?? null,
      disabled_by: disabling?.by ?? null,
      version: before.version + 1,
    })
  const after = await present(trx, before.id)
  await recordForward(trx, 'forward-changed', base, { before, after }, actor)
  await publishForward(trx, base, isInForce(after))
  return present(trx, before.id)
}

/**
 * Ends a forward: the domain publishes its own addresses again. The forwarders go on with it until caches have
 * forgotten their address.
 *
 * @returns the row as it was
 */
export async function endForward(
  trx: Knex.Transaction,
  base: DomainRow,
  forward: Pick<WebForwardRow, 'id'>,
  actor: Actor,
  undoes?: string,
): Promise<WebForwardRow> {
  const before = await present(trx, forward.id)
  await WebForward.query(trx).deleteById(before.id)
  await recordForward(trx, 'forward-ended', base, { before }, actor, undoes)
  await publishForward(trx, base, false)
  return before
}
