import { expect, test } from 'vitest'
import { chainFrom, rereadReason } from './chain.ts'

const version = (serial: bigint, token = `token ${serial}`, feedId = 'feed') => ({
  serial,
  feedId,
  token,
})
const held = version(7n)
const set = (serial: bigint, previousToken = `token ${serial - 1n}`, feedId = 'feed') => ({
  version: version(serial, undefined, feedId),
  previousToken,
  changes: [],
})
const read = (present = version(9n), sets = [set(8n), set(9n)], isStandby = false) => ({
  present,
  sets,
  isStandby,
})

test('a follower continues from the token that it holds', () => {
  expect(rereadReason(held, read())).toBeUndefined()
  expect(rereadReason(held, read(held, []))).toBeUndefined()
  expect(chainFrom(held, read().sets)).toEqual(read().sets)
})

test.each([
  ['feed-changed', read(version(9n, 'token 9', 'another feed'))],
  ['serial-went-back', read(version(6n), [])],
  ['history-differs', read(version(7n, 'another'), [])],
  ['history-differs', read(version(8n), [set(8n, 'another')])],
  ['behind-retention', read(version(9n), [set(9n)])],
  ['behind-retention', read(version(9n), [])],
])('%s', (reason, found) => {
  expect(rereadReason(held, found)).toBe(reason)
})

test('a read replica that lags behind is not a restored database', () => {
  expect(rereadReason(held, read(version(6n), [], true))).toBeUndefined()
})

test('only the sets before a break are applied', () => {
  expect(chainFrom(held, [set(8n), set(9n, 'another')])).toEqual([set(8n)])
  expect(chainFrom(held, [set(9n)])).toEqual([])
})
