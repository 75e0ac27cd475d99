/**
 * Database logins of the processes that read the feed. Migrations create roles that have the rights
 * and cannot log in (`homing_dnsd`, `homing_forwarder`); a deployment grants them to its own
 * logins. With embedded PostgreSQL this module does that, so that development runs with the rights
 * of production.
 */
import type { Knex } from 'knex'
import { join } from 'node:path'
import type { SupervisorConfig } from '../config/supervisor.ts'
import { SCRIPT_LIMITS } from '../database/connection-limits.ts'
import { connect } from '../database/connect.ts'
import { keptSecret } from '../provisioning/kept-secret.ts'
import { scramVerifier } from './scram-verifier.ts'

export interface FeedLogins {
  readonly dnsdDatabaseUrl: string
  readonly forwarderDatabaseUrl: string
}

async function ensureLogin(knex: Knex, login: string, role: string, password: string) {
  const { rowCount } = await knex.raw<{ rowCount: number }>(
    'select 1 from pg_roles where rolname = ?',
    [login],
  )
  // Sets the password each time: its file may have been lost since the last start.
  const verb = rowCount === 0 ? 'create' : 'alter'
  // A statement that defines a role takes no parameters; the verifier's alphabet needs no quoting.
  await knex.raw(`${verb} role ?? login password '${scramVerifier(password)}'`, [login])
  await knex.raw('grant ?? to ??', [role, login])
}

/**
 * Creates both logins, stores their passwords in `dataDir`, and returns their connection strings.
 */
export async function ensureFeedLogins(
  knex: Knex,
  databaseUrl: string,
  dataDir: string,
): Promise<FeedLogins> {
  async function urlFor(part: 'dnsd' | 'forwarder'): Promise<string> {
    const url = new URL(databaseUrl)
    url.username = `homing_${part}_login`
    url.password = keptSecret(join(dataDir, `${part}-database-password`))
    await ensureLogin(knex, url.username, `homing_${part}`, url.password)
    return url.href
  }
  return {
    dnsdDatabaseUrl: await urlFor('dnsd'),
    forwarderDatabaseUrl: await urlFor('forwarder'),
  }
}

/**
 * The logins of the configuration. If it names none for a part, the PostgreSQL is embedded and the login
 * is created here; in an external PostgreSQL the operator creates the logins.
 */
export async function feedLoginsOf(
  { dataDir, dnsdDatabaseUrl, forwarderDatabaseUrl }: SupervisorConfig,
  databaseUrl: string,
): Promise<FeedLogins> {
  if (dnsdDatabaseUrl !== undefined && forwarderDatabaseUrl !== undefined) {
    return { dnsdDatabaseUrl, forwarderDatabaseUrl }
  }
  const knex = connect({
    url: databaseUrl,
    limits: SCRIPT_LIMITS,
    maxConnections: 1,
    applicationName: 'homing-logins',
  })
  try {
    const own = await ensureFeedLogins(knex, databaseUrl, dataDir)
    return {
      dnsdDatabaseUrl: dnsdDatabaseUrl ?? own.dnsdDatabaseUrl,
      forwarderDatabaseUrl: forwarderDatabaseUrl ?? own.forwarderDatabaseUrl,
    }
  } finally {
    await knex.destroy()
  }
}
