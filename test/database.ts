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
    /** The folder of the server's Unix socket; '' when it has none. */
    socketFolder: string
  }
}

export interface TestDatabase {
  /** Superuser connection to this database. */
  readonly url: string
  /** The same through the server's Unix socket, if it has one. Proxies and other processes need `url`. */
  readonly socketUrl: string
  /** Drops it, ending every connection to it. */
  drop(): Promise<void>
}

function urlOf(database: string): URL {
  const url = new URL(inject('templateUrl'))
  url.pathname = `/${database}`
  return url
}

/** The driver takes a `host` in the query as the folder of a socket. */
function throughSocket(url: URL): URL {
  const socketUrl = new URL(url)
  const folder = inject('socketFolder')
  if (folder !== '') socketUrl.searchParams.set('host', folder)
  return socketUrl
}

async function onMaintenanceDatabase(sql: string): Promise<void> {
  const client = new Client({ connectionString: throughSocket(urlOf('postgres')).href })
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
  const url = urlOf(name)
  return {
    url: url.href,
    socketUrl: throughSocket(url).href,
    drop: () => onMaintenanceDatabase(`drop database ${name} with (force)`),
  }
}
