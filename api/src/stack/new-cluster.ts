/**
 * Creates a cluster in a temporary folder and moves it into place with one rename. PostgreSQL takes
 * any folder with a file `PG_VERSION` for a cluster, and initdb writes that file first. A power
 * failure in between would leave a cluster that never starts.
 *
 * Each attempt has its own folder. The initdb of a supervisor that was killed continues for a
 * moment, and must not write into the folder of the next attempt.
 */
import { spawnSync } from 'node:child_process'
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { asUnprivileged, giveToServer } from './postgres-programs.ts'
import { systemEnvironment } from './system-environment.ts'

export const SUPERUSER = 'homing'

export interface NewCluster {
  /** Absolute; the parent folder exists. */
  readonly clusterDir: string
  /** The superuser's. */
  readonly password: string
  /** false: the kernel decides when files are written to disk; for tests. */
  readonly durable: boolean
}

function removeLeftovers(clusterDir: string): void {
  const above = dirname(clusterDir)
  for (const name of readdirSync(above)) {
    if (!name.startsWith(`${basename(clusterDir)}.new-`)) continue
    try {
      rmSync(join(above, name), { recursive: true, force: true, maxRetries: 5 })
    } catch {
      // An initdb that still runs created a file meanwhile. It fails at its next file, and the next start
      // removes the rest.
    }
  }
}

function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Runs initdb into `workplace/cluster`. When it ends, all its files are on disk. */
function runInitdb(workplace: string, { password, durable }: NewCluster): string {
  const made = join(workplace, 'cluster')
  const passwordFile = join(workplace, 'password')
  mkdirSync(made, { mode: 0o700 })
  writeFileSync(passwordFile, password, { mode: 0o600 })
  for (const path of [workplace, made, passwordFile]) giveToServer(path)
  const [command, args] = asUnprivileged(
    'initdb',
    [
      `--pgdata=${made}`,
      `--username=${SUPERUSER}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--no-instructions',
      ...(durable ? [] : ['--no-sync']),
    ],
    [workplace],
  )
  const done = spawnSync(command, args, {
    cwd: '/',
    env: systemEnvironment(),
    encoding: 'utf8',
  })
  if (done.status !== 0) {
    throw new Error(`initdb failed: ${done.stderr || done.error?.message || done.signal}`)
  }
  return made
}

function putInPlace(made: string, clusterDir: string): void {
  try {
    renameSync(made, clusterDir)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error
    throw new Error(`${clusterDir} is not a PostgreSQL cluster. Move it away.`, {
      cause: error,
    })
  }
}

/**
 * Creates the cluster atomically when it does not exist.
 *
 * @throws Error when initdb fails, or the folder contains something else
 */
export function ensureCluster(cluster: NewCluster): void {
  const { clusterDir, durable } = cluster
  removeLeftovers(clusterDir)
  if (existsSync(join(clusterDir, 'PG_VERSION'))) return
  const workplace = mkdtempSync(`${clusterDir}.new-`)
  try {
    putInPlace(runInitdb(workplace, cluster), clusterDir)
    if (durable) syncFolder(dirname(clusterDir))
  } finally {
    rmSync(workplace, { recursive: true, force: true })
  }
}
