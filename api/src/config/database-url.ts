/** Finds the database that a command works on. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** While the service runs, this file contains the URL of its embedded PostgreSQL. */
export function databaseUrlFile(dataDir: string): string {
  return join(dataDir, 'run', 'database-url')
}

/** There is no configured database, and no running service whose database could be used. */
export class NoDatabase extends Error {
  constructor(file: string) {
    super(
      `DATABASE_URL is not set, and the service of this DATA_DIR is not running (${file} does not exist): start the service, or set DATABASE_URL`,
    )
    this.name = 'NoDatabase'
  }
}

/**
 * `DATABASE_URL`, or the embedded PostgreSQL of the service that runs on this DATA_DIR. A file that
 * only its owner can read contains the latter's URL.
 *
 * @throws NoDatabase when there is neither
 */
export function databaseUrlOf(config: {
  readonly databaseUrl: string | undefined
  readonly dataDir: string
}): string {
  if (config.databaseUrl !== undefined) return config.databaseUrl
  const file = databaseUrlFile(config.dataDir)
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    throw new NoDatabase(file)
  }
}
