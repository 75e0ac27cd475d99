import { expect, test } from 'vitest'
import { HitCounter } from './hit-counter.ts'

const MONDAY = Date.parse('2027-03-01T23:59:59.999Z')
const TUESDAY = MONDAY + 1

test('hits are counted by forward and day (UTC)', () => {
  const counter = new HitCounter()
  counter.count(7, MONDAY)
  counter.count(8, MONDAY)
  counter.count(7, MONDAY)
  counter.count(7, TUESDAY)
  expect(counter.waiting).toBe(4)
  expect(counter.batches()).toEqual([
    expect.objectContaining({
      forwardIds: [7, 8],
      days: ['2027-03-01', '2027-03-01'],
      hits: [2, 1],
    }),
    expect.objectContaining({ forwardIds: [7], days: ['2027-03-02'], hits: [1] }),
  ])
})

test('a batch keeps its id and its counts until it is stored', () => {
  const counter = new HitCounter()
  counter.count(7, MONDAY)
  const [first] = counter.batches()
  counter.count(7, MONDAY)
  const [again, second] = counter.batches()
  expect(again).toBe(first)
  expect(second?.id).not.toBe(first?.id)
  if (first !== undefined) counter.stored(first)
  expect(counter.batches()).toEqual([second])
  expect(counter.waiting).toBe(1)
})

test('beyond the limit, known forwards are still counted and others are dropped', () => {
  const counter = new HitCounter(2)
  for (const id of [1, 2, 3, 1]) counter.count(id, MONDAY)
  expect(counter.waiting).toBe(3)
  expect(counter.dropped).toBe(1)
  const [batch] = counter.batches()
  counter.count(1, MONDAY)
  expect(counter.dropped).toBe(2)
  if (batch !== undefined) counter.stored(batch)
  counter.count(1, MONDAY)
  expect(counter.waiting).toBe(1)
})
