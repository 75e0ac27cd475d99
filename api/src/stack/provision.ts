import { SCRIPT_LIMITS } from '../connection-limits.ts'
import { connect, migrate } from '../database.ts'
import type { SupervisorConfig } from '../config/supervisor.ts'
import { ensureZones } from '../feed/zone-provisioning.ts'
import { type FirstAdministrator, provideAdministrator } from './first-administrator.ts'
import { ensureFeedLogins, type FeedLogins } from './login-roles.ts'

export interface Provisioned {
  readonly administrator: FirstAdministrator
  readonly logins: FeedLogins
}

/**
 * Brings the database to what the configuration asks for: schema, zones, first
 * administrator, and logins for the readers of the feed where the PostgreSQL is
 * our own. Another's PostgreSQL has logins of its owner's making.
 */
export async function provision(
  config: SupervisorConfig,
  databaseUrl: string,
): Promise<Provisioned> {
  await migrate(databaseUrl)
  const knex = connect({
    url: databaseUrl,
    limits: SCRIPT_LIMITS,
    maxConnections: 2,
    applicationName: 'homing-start',
  })
  try {
    await ensureZones(knex, config)
    const administrator = await provideAdministrator(knex, config)
    const own = await loginsOf(config, () => ensureFeedLogins(knex, databaseUrl, config.dataDir))
    return { administrator, logins: own }
  } finally {
    await knex.destroy()
  }
}

async function loginsOf(
  config: SupervisorConfig,
  ensure: () => Promise<FeedLogins>,
): Promise<FeedLogins> {
  const { dnsdDatabaseUrl, forwarderDatabaseUrl } = config
  if (dnsdDatabaseUrl !== undefined && forwarderDatabaseUrl !== undefined) {
    return { dnsdDatabaseUrl, forwarderDatabaseUrl }
  }
  const own = await ensure()
  return {
    dnsdDatabaseUrl: dnsdDatabaseUrl ?? own.dnsdDatabaseUrl,
    forwarderDatabaseUrl: forwarderDatabaseUrl ?? own.forwarderDatabaseUrl,
  }
}
