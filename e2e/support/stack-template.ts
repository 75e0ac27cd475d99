/**
 * The data of a service that has never run, with its PostgreSQL cluster, schema, zone and first administrator. Copying it
 * takes a tenth of the time of creating it, which each stack would otherwise do.
 */
import { startEmbeddedPostgres } from '@homing/api/postgres'
import { execFile, execFileSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const MIGRATE = fileURLToPath(new URL('../../api/scripts/migrate.ts', import.meta.url))
/** Set by the global setup; every worker inherits it. */
const VARIABLE = 'STACK_TEMPLATE'
/** Variables with which a first start creates other data. */
const CHANGES_DATA = /^(?:DATABASE_URL|ZONES|NAMESERVERS|DNS_HOST|ADMIN_\w+|NODE_ENV)$/

/** Creates the template in an empty folder, for all later stacks of this run. */
export async function createStackTemplate(folder: string): Promise<void> {
  const postgres = await startEmbeddedPostgres({
    clusterDir: join(folder, 'postgres'),
    durable: true,
  })
  const { PATH = '', HOME = '/' } = process.env
  const env = { PATH, HOME, DATA_DIR: folder, DATABASE_URL: postgres.url }
  try {
    await promisify(execFile)(process.execPath, [MIGRATE], { env })
  } finally {
    await postgres.stop()
  }
  // Copies must not compete for the port of the template.
  rmSync(join(folder, 'postgres.port'))
  process.env[VARIABLE] = folder
}

/** Fills the folder of a first start, if this start would create the data of the template. */
export function copyStackTemplate(dataDir: string, env: Readonly<Record<string, string>>): void {
  const template = process.env[VARIABLE]
  const isFirst = !existsSync(dataDir) || readdirSync(dataDir).length === 0
  const isUsual = !Object.keys(env).some((name) => CHANGES_DATA.test(name))
  if (template === undefined || !isFirst || !isUsual) return
  // With owners: the cluster belongs to the user of PostgreSQL.
  execFileSync('cp', ['--archive', '--reflink=auto', `${template}/.`, dataDir])
}
