import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ForwardTable, type TableCapture } from './forward-table.ts'
import { SnapshotKeeper } from './snapshot-keeper.ts'
import { makeForward, makeNames } from './test-support.ts'

function openKeeper(failures = 0) {
  const table = new ForwardTable()
  const written: bigint[] = []
  const failed: string[] = []
  let left = failures
  const file = {
    async write({ version }: TableCapture) {
      await delay(1)
      left -= 1
      if (left >= 0) throw new Error('the disk is full')
      written.push(version.serial)
    },
  }
  const events = { failed: ({ message }: Error) => void failed.push(message) }
  const keeper = new SnapshotKeeper({ table, file, events, shortestWaitMs: 1 })
  const change = (serial: bigint) => {
    table.replace({ serial, feedId: 'feed', token: 'token' }, makeNames({ a: makeForward() }))
    keeper.changed()
  }
  return { keeper, change, written, failed }
}

test('changes that come together are written together; a stop writes the last one', async () => {
  const { keeper, change, written } = openKeeper()
  change(1n)
  change(2n)
  expect(keeper.isBehind).toBe(true)
  await keeper.stop()
  expect(written).toEqual([2n])
  expect(keeper.isBehind).toBe(false)
  expect(keeper.writtenAtMs).toBeGreaterThan(Date.now() - 60_000)
})

test('a stop without changes writes nothing', async () => {
  const { keeper, written } = openKeeper()
  await keeper.stop()
  expect(written).toEqual([])
})

test('a failed write is reported and tried again', async () => {
  const { keeper, change, written, failed } = openKeeper(1)
  change(1n)
  await expect.poll(() => written).toEqual([1n])
  expect(failed).toEqual(['the disk is full'])
  await keeper.stop()
})
