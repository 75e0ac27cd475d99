/**
 * Tests that the storm test detects data loss: with a PostgreSQL that acknowledges
 * before it has written (`synchronous_commit` off), the same clients, ledger and
 * detector find the updates that a kill has lost.
 */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addNames, signInAdministrator } from './support/accounts.ts'
import { Ledger, readLedger } from './support/ledger.ts'
import { findForgotten, findLost } from './support/losses.ts'
import { type OwnPostgres, startOwnPostgres } from './support/own-postgres.ts'
import { eventually, type Stack, startStack, temporaryDataDir } from './support/stack.ts'
import { type Owner, startStorm } from './support/storm.ts'
import { updatesInHistory, updatesInTables } from './support/tables.ts'

const folder = temporaryDataDir()
let postgres: OwnPostgres
let stack: Stack
let owner: Owner

beforeAll(async () => {
  // The WAL writer writes committed changes to disk. Here it has a long delay, and a large volume of changes does not wake it.
  const settings = {
    synchronous_commit: 'off',
    wal_writer_delay: '10s',
    wal_writer_flush_after: '1GB',
  }
  postgres = await startOwnPostgres(folder.path, settings)
  const env = { DATABASE_URL: postgres.url, RATE_LIMITS: 'off' }
  stack = await startStack({ dataDir: folder.path, env })
  const names = Array.from({ length: 20 }, (_, n) => `host-${n}.homing.test`)
  const account = await signInAdministrator(stack)
  await addNames(account, names)
  owner = { ...account, names }
})
afterAll(async () => {
  await stack.stop()
  await postgres.stop()
  folder.remove()
})

test('without synchronous_commit a kill loses acknowledged updates, and the detector finds them', async () => {
  const ledgerFile = join(folder.path, 'ledger')
  const ledger = await Ledger.create(ledgerFile)
  const storm = startStorm({ url: stack.url, owners: [owner], ledger, seed: 1, clients: 8 })
  await eventually(
    async () => storm.counts.acknowledged,
    (count) => count >= 200,
  )
  await postgres.kill()
  await storm.end()
  await ledger.close()
  await postgres.start()

  const acknowledged = readLedger(ledgerFile)
  const promised = { acknowledged, lastSent: storm.lastSent }
  const lost = findLost(promised, await updatesInTables(postgres.url))
  const forgotten = findForgotten(acknowledged, await updatesInHistory(postgres.url))
  process.stdout.write(
    `synchronous_commit off and kill -9: of ${acknowledged.length} acknowledged updates ${forgotten.length} are gone, ` +
      `${lost.length} of ${owner.names.length} names show an older one\n`,
  )
  expect(lost.length).toBeGreaterThan(0)
  expect(forgotten.length).toBeGreaterThan(0)
})
