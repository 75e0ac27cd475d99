/** Changes monitors: turns them on and off, and changes their settings. */
import type { MonitorChange } from '@homing/openapi'
import type { Knex } from 'knex'
import { type Principal, reachOf } from '../../caller/principal.ts'
import type { Services } from '../../compose.ts'
import { Monitor, type MonitorRow } from '../../models/monitor.ts'
import { notifyMonitors } from '../../monitoring/store/live-channel.ts'
import { recheck, settleMonitors } from '../../monitoring/store/run-monitors.ts'
import { turnMonitors } from '../../monitoring/store/turn-monitors.ts'
import { expectedVersion } from '../../plugins/if-match.ts'
import { Refusal } from '../../rules/errors.ts'
import {
  affectsChecks,
  defaultSettings,
  type MonitorSettings,
  settingsAfter,
  settingsOf,
} from '../../rules/monitor-settings.ts'
import { UPTIME } from '../../rules/monitorable.ts'
import { requireAbility } from '../../rules/plans.ts'
import { type HeldDomain, heldDomain, monitorableDomain } from './held-domain.ts'

/**
 * Turns the monitor of a domain on or off. If it already is, nothing changes.
 *
 * @throws Refusal `plan-required` to turn it on, `not-found`, `conflict` for a wildcard, `domain-locked`
 */
export async function switchMonitor(
  { knex }: Pick<Services, 'knex'>,
  principal: Principal,
  domainId: string,
  isEnabled: boolean,
): Promise<void> {
  if (isEnabled) requireAbility(principal.account, 'uptime', UPTIME)
  const reach = reachOf(principal)
  await monitorableDomain(knex, reach, domainId)
  await knex.transaction(async (trx) => {
    await heldDomain(trx, reach, domainId, isEnabled ? 'use' : 'end')
    await turnMonitors(trx, [domainId], isEnabled)
  })
}

/** The settings to write, and the monitor as it is now; undefined: the domain was never monitored. */
interface Change {
  readonly held: MonitorRow | undefined
  readonly former: MonitorSettings
  readonly after: MonitorSettings
}

/** The version that a monitor has when its owner has changed nothing. */
const FIRST_VERSION = 1

/** @throws Refusal `version-mismatch` */
function requireVersion(fqdn: string, version: number, ifMatch: string | undefined): void {
  const expected = expectedVersion(ifMatch, version)
  if (expected === undefined || expected === version) return
  throw new Refusal(
    'version-mismatch',
    `The monitor of ${fqdn} was changed in the meantime and has version ${version}. Read it again, then repeat your change.`,
  )
}

const isSame = (former: MonitorSettings, after: MonitorSettings) =>
  !affectsChecks(former, after) &&
  former.notifies_down === after.notifies_down &&
  former.notifies_up === after.notifies_up

async function write(
  trx: Knex.Transaction,
  { domain }: HeldDomain,
  { held, former, after }: Change,
): Promise<void> {
  const { id: domain_id, user_id } = domain
  if (held === undefined) {
    const version = FIRST_VERSION + 1
    const off = { domain_id, user_id, is_enabled: false, state: 'off' } as const
    await Monitor.query(trx).insert({ ...off, ...after, version })
    return
  }
  await Monitor.query(trx)
    .findById(held.id)
    .patch({
      ...after,
      // It is not known whether the new target has a certificate.
      ...(after.kind === 'https' && after.port === former.port
        ? {}
        : { certificate_expires_at: null }),
      version: held.version + 1,
    })
  await settleMonitors(trx, { domainIds: [domain_id] })
  // Heartbeats of another source were not expected so far.
  const isStart = former.kind !== after.kind || former.heartbeat_source !== after.heartbeat_source
  if (affectsChecks(former, after)) await recheck(trx, [domain_id], isStart)
  await notifyMonitors(trx, [domain_id])
}

/** A change of the settings of a monitor, as a call asks for it. */
export interface WantedChange {
  readonly domainId: string
  readonly input: MonitorChange
  /** The header If-Match; undefined without one. */
  readonly ifMatch: string | undefined
}

/**
 * Changes the settings of a monitor. It can be turned off, and the domain can be one that was never monitored.
 *
 * @throws Refusal `plan-required`, `not-found`, `conflict` for a wildcard, `domain-locked`, `version-mismatch`,
 * `validation-failed`
 */
export async function changeMonitor(
  { knex }: Pick<Services, 'knex'>,
  principal: Principal,
  { domainId, input, ifMatch }: WantedChange,
): Promise<void> {
  requireAbility(principal.account, 'uptime', UPTIME)
  const reach = reachOf(principal)
  await monitorableDomain(knex, reach, domainId)
  await knex.transaction(async (trx) => {
    const place = await heldDomain(trx, reach, domainId, 'use')
    const [held] = await Monitor.query(trx)
      .where({ domain_id: domainId })
      .forUpdate()
      .toKnexQuery<MonitorRow>()
    requireVersion(place.domain.fqdn, held?.version ?? FIRST_VERSION, ifMatch)
    const former = held === undefined ? defaultSettings(place.minInterval) : settingsOf(held)
    const after = settingsAfter(former, input, place.minInterval)
    if (!isSame(former, after)) await write(trx, place, { held, former, after })
  })
}

/**
 * The id of a domain's monitor, for what is kept beside its settings. A domain that was never monitored gets one that is
 * turned off.
 */
export async function ensureMonitor(
  trx: Knex.Transaction,
  { domain: { id: domain_id, user_id }, minInterval }: HeldDomain,
): Promise<string> {
  const found = await Monitor.query(trx).findOne({ domain_id }).select('id')
  if (found !== undefined) return found.id
  const off = { domain_id, user_id, is_enabled: false, state: 'off' } as const
  const made = await Monitor.query(trx)
    .insert({ ...off, ...defaultSettings(minInterval) })
    .returning('id')
  return made.id
}
