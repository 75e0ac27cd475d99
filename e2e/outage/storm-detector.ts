/**
 * Tests that the storm test detects data loss: with a PostgreSQL that acknowledges
 * before it has written (`synchronous_commit` off), the same clients, ledger and
 * detector find the updates that a kill has lost.
 */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { addNames, signInAdministrator } from '../support/accounts.ts'
import { Ledger, readLedger } from '../support/ledger.ts'
import { findForgotten, findLost } from '../support/losses.ts'
import type { OutageWorld } from '../support/outage.ts'
import { eventually } from '../support/stack.ts'
import { startStorm } from '../support/storm.ts'
import { updatesInHistory, updatesInTables } from '../support/tables.ts'

/** The WAL writer writes committed changes to disk. Here it has a long delay, and a large volume of changes does not wake it. */
const FORGETFUL = {
  synchronous_commit: 'off',
  wal_writer_delay: '10s',
  wal_writer_flush_after: '1GB',
}

/** @param opened a service whose PostgreSQL may lose data */
export function testDetector(opened: () => OutageWorld): void {
  test('without synchronous_commit a kill loses acknowledged updates, and the detector finds them', async () => {
    const { stack, postgres } = opened()
    const account = await signInAdministrator(stack)
    const names = Array.from({ length: 20 }, (_, n) => `forgotten-${n}.homing.test`)
    await addNames(account, names)
    const owner = { ...account, names }
    await postgres.stop()
    await postgres.start(FORGETFUL)
    const ledgerFile = join(stack.dataDir, 'ledger')
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
}
