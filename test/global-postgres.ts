/**
 * Starts one PostgreSQL for a test run and migrates a template database in it.
 * Each test file copies its own database from the template (`test/database.ts`).
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { migrate } from '../api/src/database/connect.ts'
import { startEmbeddedPostgres } from '../api/src/stack/postgres.ts'

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'homing-test-'))
  const postgres = await startEmbeddedPostgres({
    clusterDir: join(folder, 'postgres'),
    durable: false,
    settings: { max_connections: '300' },
  })
  await migrate(postgres.url)
  project.provide('templateUrl', postgres.url)
  return async () => {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
