/** The events of accounts, made from what was read for all of them. */
import type { Knex } from 'knex'
import { domainBody, type OwnedDomain } from '../models/domain.ts'
import {
  type CallRow,
  type MonitorRow,
  readCalls,
  readDeleted,
  readDomains,
  readMonitors,
  type Touched,
} from './changes.ts'
import type { LiveEvent } from './open-stream.ts'
import { readChangedZones } from './zone-events.ts'

export interface AccountEvents {
  readonly events: LiveEvent[]
  /** The zones of the account's domains among them, and its own zones. */
  readonly zoneIds: Set<string>
}

/** Events by account id. */
export type EventsByAccount = ReadonlyMap<string, AccountEvents>

class Gathered {
  readonly byAccount = new Map<string, AccountEvents>()

  of(accountId: string): AccountEvents {
    const known = this.byAccount.get(accountId) ?? { events: [], zoneIds: new Set() }
    this.byAccount.set(accountId, known)
    return known
  }
}

const domainEvent = (domain: OwnedDomain): LiveEvent => ['domain', domainBody(domain)]

/**
 * The events of domains and own zones with changes that belong to the accounts, or did so.
 *
 * @param deletedWithinSeconds earlier deletions are left out
 */
export async function changeEvents(
  knex: Knex,
  { owners, moved }: Touched,
  accountIds: readonly string[],
  deletedWithinSeconds: number,
): Promise<EventsByAccount> {
  const gathered = new Gathered()
  if (owners.length === 0 || accountIds.length === 0) return gathered.byAccount
  const deleted = await readDeleted(knex, owners, accountIds, deletedWithinSeconds)
  for (const { id, user_id, fqdn } of deleted) {
    gathered.of(user_id).events.push(['domain-deleted', { id, fqdn }])
  }
  const gone = new Set(deleted.map(({ fqdn }) => fqdn))
  for (const domain of await readDomains(knex, { owners, gone }, accountIds)) {
    const { events, zoneIds } = gathered.of(domain.user_id)
    events.push(domainEvent(domain))
    zoneIds.add(domain.zone_id)
  }
  const changed = { owners, gone }
  for (const row of await readChangedZones(knex, [...moved.keys()], changed, accountIds)) {
    const { events, zoneIds } = gathered.of(row.user_id)
    events.push(['zone', { id: row.id, zone: row.zone }])
    zoneIds.add(row.zone_id)
  }
  return gathered.byAccount
}

const callEvent = ({ domain_id, fqdn, last_at, is_refused, answer }: CallRow): LiveEvent => [
  'update-call',
  { domain_id, fqdn, last_at: last_at.toISOString(), is_refused, answer },
]

/** The newest update calls of these domains, as far as they belong to the accounts. */
export async function callEvents(
  knex: Knex,
  domainIds: readonly string[],
  accountIds: readonly string[],
): Promise<EventsByAccount> {
  const gathered = new Gathered()
  if (domainIds.length === 0 || accountIds.length === 0) return gathered.byAccount
  for (const call of await readCalls(knex, domainIds, accountIds)) {
    gathered.of(call.user_id).events.push(callEvent(call))
  }
  return gathered.byAccount
}

const monitorEvent = ({ user_id: _owner, state_since, ...monitor }: MonitorRow): LiveEvent => [
  'monitor',
  { ...monitor, state_since: state_since.toISOString() },
]

/** The present states of the monitors of these domains, as far as they belong to the accounts. */
export async function monitorEvents(
  knex: Knex,
  domainIds: readonly string[],
  accountIds: readonly string[],
): Promise<EventsByAccount> {
  const gathered = new Gathered()
  if (domainIds.length === 0 || accountIds.length === 0) return gathered.byAccount
  for (const monitor of await readMonitors(knex, domainIds, accountIds)) {
    gathered.of(monitor.user_id).events.push(monitorEvent(monitor))
  }
  return gathered.byAccount
}
