import { expect, test } from 'vitest'
import { type LiveRow, sampledText, SHOWN_LIMIT, withArrived } from './live-rows.ts'

const row = (key: number, arrivedMs: number, sample = 1): LiveRow => ({
  key,
  arrivedMs,
  sample,
  at: '2026-05-12T09:30:00.000Z',
  domain_id: '42',
  qname: 'home.example.net',
  type: 'A',
  rcode: 'NOERROR',
  transport: 'udp',
  network: '198.51.100.0/24',
})
const keys = (rows: readonly LiveRow[]) => rows.map(({ key }) => key)

test('the newest is first, and none is older than 60 seconds', () => {
  const rows = withArrived(
    [row(2, 30_000), row(1, 1_000)],
    [row(3, 61_000), row(4, 61_500)],
    62_000,
  )
  expect(keys(rows)).toEqual([4, 3, 2])
})

test('a list in which nothing changes stays the same object', () => {
  const rows = [row(1, 1_000)]
  expect(withArrived(rows, [], 60_999)).toBe(rows)
  expect(withArrived(rows, [], 61_000)).toEqual([])
})

test('the list has a limit', () => {
  const arrived = Array.from({ length: SHOWN_LIMIT + 5 }, (_, n) => row(n, 0))
  const rows = withArrived([], arrived, 1)
  expect([rows.length, rows[0]?.key]).toEqual([SHOWN_LIMIT, SHOWN_LIMIT + 4])
})

test('a sample says what it stands for', () => {
  expect(sampledText([row(1, 0), row(2, 0)])).toBeUndefined()
  expect(sampledText([row(1, 0, 5), row(2, 0, 5)])).toContain('about one of 5 queries')
  expect(sampledText([row(1, 0), row(2, 0, 2)])).toContain('about one of 2 queries')
})
