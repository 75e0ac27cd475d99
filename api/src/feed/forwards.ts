/*
 * Web forwards: the start, the changes and the end of the forward of a domain.
 *
 * A forward is about two feeds. While it is in force, DNS publishes the forwarders' addresses for the domain and its
 * wildcard (`domains.is_forwarded`), and the forward feed says what the forwarders do with requests for them. Each
 * function writes both, and nothing may be locked in the same transaction after it.
 *
 * The caller holds the account, its plan and the domain (`holdOwnedDomain`), and passes the domain and the
 * forward as they were read then. These locks make the count of the plan's flags exact, keep new names below a wildcard
 * away, and let each function write only what differs from these rows. The wildcard is locked by its update, after its
 * base, which has the lower id.
 */
import type { Knex } from 'knex'
import { query } from '../database/sql.ts'
import { wildcardOf } from '../rules/names.ts'
import { WebForward, type WebForwardRow } from '../models/web-forward.ts'
import type { Actor } from './address-change.ts'
import type { ZoneOwners } from './change-set.ts'
import { changesFlags, settleForwardFlags } from './forward-flags.ts'
import {
  deleteForwardRow,
  FINDINGS,
  type ForwardDisabling,
  type ForwardEventKind,
  type ForwardSettings,
  insertForward,
  type RecordedForward,
  SETTINGS,
  updateForward,
  writeDisabling,
} from './forward-rows.ts'
import { ownersOfDomains, publish } from './publish.ts'
import type { DomainRow } from './rows.ts'

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

/** Whether requests are forwarded. A withheld domain keeps this; DNS and the forward feed leave it out. */
const isInForce = ({ is_active, disabled_at }: WebForwardRow) => is_active && disabled_at === null

// The wildcard follows its base.
const TURN = `
  update domains set is_forwarded = ?, version = version + 1
  where (id = ? or base_id = ?) and is_forwarded <> ?
  returning id`

/** Turns the forwarding of a domain and its wildcard on or off. @returns what DNS has to publish then */
async function turned(
  trx: Knex.Transaction,
  { id, is_forwarded }: DomainRow,
  isForwarded: boolean,
): Promise<ZoneOwners[]> {
  if (isForwarded === is_forwarded) return []
  const domains = await query<{ id: string }>(trx, TURN, [isForwarded, id, id, isForwarded])
  return ownersOfDomains(
    trx,
    domains.map((domain) => domain.id),
  )
}

/** What the forward feed has to publish. */
const forwardOf = ({ zone_id, fqdn }: DomainRow): ZoneOwners => ({
  zoneId: zone_id,
  owners: [],
  forwards: [fqdn, wildcardOf(fqdn)],
})

/**
 * Makes the domain and the flags of the account fit what the forward is now. DNS changes only when the forward comes into
 * force or ends; for another target, secondaries need no new serial.
 *
 * @param before undefined: the domain had no forward
 * @param after undefined: the domain has no forward any more
 * @returns what has to be published, and whether forwards of the account got or lost a flag of the plan
 */
async function settled(
  trx: Knex.Transaction,
  base: DomainRow,
  before: WebForwardRow | undefined,
  after: WebForwardRow | undefined,
): Promise<{ readonly owners: readonly ZoneOwners[]; readonly changedFlags: boolean }> {
  const served = await turned(trx, base, after !== undefined && isInForce(after))
  const flagged = changesFlags(before, after)
    ? (await settleForwardFlags(trx, [base.user_id])).owners
    : []
  return { owners: [...served, forwardOf(base), ...flagged], changedFlags: flagged.length > 0 }
}

/** Publishes a forward. @returns its row after the flags of the account were assigned, which can change `fallback` */
async function published(
  trx: Knex.Transaction,
  base: DomainRow,
  before: WebForwardRow | undefined,
  after: WebForwardRow,
): Promise<WebForwardRow> {
  const { owners, changedFlags } = await settled(trx, base, before, after)
  await publish(trx, owners)
  if (!changedFlags) return after
  const [row] = await WebForward.query(trx).where({ id: after.id }).toKnexQuery<WebForwardRow>()
  return row ?? after
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
  const wanted = consistent(settings, settings.forwarding_type)
  const after = { ...wanted, disabled_reason: null }
  const event = { kind: 'forward-started', base, before: undefined, after, actor, undoes } as const
  return published(trx, base, undefined, await insertForward(trx, wanted, event))
}

/**
 * Starts the forward of a domain again that was deleted with it. Unlike `startForward`, it publishes nothing.
 *
 * @param disabling it comes back disabled, as an administrator left it
 * @returns what the caller publishes
 */
export async function returnForward(
  trx: Knex.Transaction,
  base: DomainRow,
  settings: ForwardSettings,
  actor: Actor,
  disabling?: ForwardDisabling,
): Promise<readonly ZoneOwners[]> {
  const after = { ...settings, disabled_reason: disabling?.reason ?? null }
  const event = { kind: 'forward-started', base, before: undefined, after, actor } as const
  const made = await insertForward(trx, settings, { ...event, undoes: undefined })
  const row = disabling === undefined ? made : await writeDisabling(trx, made, disabling)
  return (await settled(trx, base, undefined, row)).owners
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
  before: WebForwardRow,
  settings: Partial<ForwardSettings>,
  actor: Actor,
  undoes?: string,
): Promise<WebForwardRow> {
  const type = settings.forwarding_type ?? before.forwarding_type
  const wanted = { ...before, ...consistent(settings, type) }
  const isChanged = SETTINGS.some((name) => wanted[name] !== before[name])
  if (!isChanged && FINDINGS.every((name) => wanted[name] === before[name])) return before
  const kind = 'forward-changed' as const
  const event = isChanged ? { kind, base, before, after: wanted, actor, undoes } : undefined
  const isNewVersion = isChanged || wanted.fallback !== before.fallback
  const after = await updateForward(trx, before, wanted, isNewVersion, event)
  // The feed shows nothing else of a forward.
  return isNewVersion ? published(trx, base, before, after) : after
}

/** A forward that administrators stop or let run again. Its owner's settings stay. */
export interface ForwardModeration {
  readonly base: DomainRow
  readonly before: WebForwardRow
  /** Undefined: it runs again. */
  readonly disabling: ForwardDisabling | undefined
}

/**
 * Stops forwards for administrators, or lets them run again. The caller holds the domains, in the order of their ids and
 * with their wildcards if there are several.
 *
 * @returns the rows of the forwards as they are now
 */
export async function disableForwards(
  trx: Knex.Transaction,
  moderations: readonly ForwardModeration[],
  actor: Actor,
): Promise<WebForwardRow[]> {
  const changes: ZoneOwners[] = []
  const rows: WebForwardRow[] = []
  for (const { base, before, disabling } of moderations) {
    const after = { ...before, disabled_reason: disabling?.reason ?? null }
    const event = { base, before, after, actor, undoes: undefined } as const
    const row = await writeDisabling(trx, before, disabling, { kind: 'forward-changed', ...event })
    rows.push(row)
    changes.push(...(await turned(trx, base, isInForce(row))), forwardOf(base))
  }
  await publish(trx, changes)
  return rows
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
  forward: WebForwardRow,
  actor: Actor,
  undoes?: string,
): Promise<WebForwardRow> {
  const end = { kind: 'forward-ended', base, before: forward, after: undefined } as const
  const before = await deleteForwardRow(trx, forward, { ...end, actor, undoes })
  const { owners } = await settled(trx, base, before, undefined)
  await publish(trx, owners)
  return before
}
