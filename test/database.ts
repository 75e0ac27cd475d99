/**
 * A separate database for a test file: migrated, and empty except for rows that migrations insert.
 */
import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { inject } from 'vitest'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Superuser connection to the migrated template database. */
    templateUrl: string
  }
}

export interface TestDatabase {
  /** Superuser connection to this database. */
  readonly url: string
  /** Drops it, ending every connection to it. */
  drop(): Promise<void>
}

async function onMaintenanceDatabase(sql: string): Promise<void> {
  const url = new URL(inject('templateUrl'))
  url.pathname = '/postgres'
  const client = new Client({ connectionString: url.href })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

/** Copies the template. Call it in `beforeAll` and `drop()` it in `afterAll`. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`
  await onMaintenanceDatabase(`create database ${name} template homing strategy file_copy`)
  const url = new URL(inject('templateUrl'))
  url.pathname = `/${name}`
  return {
    url: url.href,
    drop: () => onMaintenanceDatabase(`drop database ${name} with (force)`),
  }
}
