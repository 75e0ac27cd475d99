/**
 * The data of a service that has never run, with its PostgreSQL cluster, schema, zone and first administrator. Copying it
 * takes a tenth of the time of creating it, which each stack would otherwise do.
 */
import { startEmbeddedPostgres } from '@homing/api/postgres'
import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const MIGRATE = fileURLToPath(new URL('../../api/scripts/migrate.ts', import.meta.url))
/** Set by the global setup; every worker inherits it. */
const VARIABLE = 'STACK_TEMPLATE'
/** Variables with which a first start creates other data than the template and a later start with them. */
const CHANGES_DATA = /^(?:ZONES|ADMIN_\w+|NODE_ENV)$/
/** The folder of the cluster. Files beside it have names that begin with it. */
const CLUSTER = 'postgres'

/** Creates the template in an empty folder, for all later stacks of this run. */
export async function createStackTemplate(folder: string): Promise<void> {
  const postgres = await startEmbeddedPostgres({
    clusterDir: join(folder, CLUSTER),
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
  rmSync(join(folder, `${CLUSTER}.port`))
  process.env[VARIABLE] = folder
}

/**
 * Fills the folder of a first start, if this start would create the data of the template. Without the cluster, if the service
 * has a database elsewhere: `copyClusterTemplate`.
 */
export function copyStackTemplate(dataDir: string, env: Readonly<Record<string, string>>): void {
  const template = process.env[VARIABLE]
  const isFirst = !existsSync(join(dataDir, 'admin-password'))
  const isUsual = !Object.keys(env).some((name) => CHANGES_DATA.test(name))
  if (template === undefined || !isFirst || !isUsual) return
  const names = readdirSync(template).filter(
    (name) => env['DATABASE_URL'] === undefined || !name.startsWith(CLUSTER),
  )
  mkdirSync(dataDir, { recursive: true })
  for (const name of names) copy(join(template, name), join(dataDir, name))
}

/** Creates a cluster with the database of a service that has never run, for `copyStackTemplate` with its `DATABASE_URL`. */
export function copyClusterTemplate(clusterDir: string): void {
  const template = process.env[VARIABLE]
  if (template === undefined) return
  mkdirSync(dirname(clusterDir), { recursive: true })
  for (const end of ['', '.password']) copy(join(template, CLUSTER + end), clusterDir + end)
}

/** With owners: the cluster belongs to the user of PostgreSQL. */
function copy(from: string, to: string): void {
  execFileSync('cp', ['--archive', '--no-target-directory', '--reflink=auto', from, to])
}
