import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Allowances } from './allowances.ts'

const RULE = { burst: 3, refillMs: 2_000 }

/** Allowances, with a clock that tests set. */
function world(keysLimit?: number) {
  const clock = { ms: 1_000_000 }
  return { clock, allowances: new Allowances(RULE, () => clock.ms, keysLimit) }
}

describe('an allowance', () => {
  test('gives its burst at once, then says how long to wait', () => {
    const { allowances } = world()
    expect([1, 2, 3].map(() => allowances.take('a'))).toEqual([
      { isAllowed: true, remaining: 2, resetSeconds: 2, waitSeconds: 0 },
      { isAllowed: true, remaining: 1, resetSeconds: 4, waitSeconds: 0 },
      { isAllowed: true, remaining: 0, resetSeconds: 6, waitSeconds: 0 },
    ])
    expect(allowances.take('a')).toEqual({
      isAllowed: false,
      remaining: 0,
      resetSeconds: 6,
      waitSeconds: 2,
    })
    expect(allowances.take('b').isAllowed).toBe(true)
  })

  test('allows another event after the reported wait, for any number of refused attempts', () => {
    const { allowances, clock } = world()
    for (let n = 0; n < 50; n += 1) allowances.take('a')
    const { waitSeconds } = allowances.take('a')
    clock.ms += waitSeconds * 1_000 - 1
    expect(allowances.take('a').isAllowed).toBe(false)
    clock.ms += 1
    expect(allowances.take('a').isAllowed).toBe(true)
    expect(allowances.take('a').isAllowed).toBe(false)
  })

  test('is full again after the reported reset', () => {
    const { allowances, clock } = world()
    for (let n = 0; n < 3; n += 1) allowances.take('a')
    clock.ms += allowances.take('a').resetSeconds * 1_000
    expect(allowances.take('a').remaining).toBe(2)
  })

  test('refunds events that did not count', () => {
    const { allowances } = world()
    for (let n = 0; n < 20; n += 1) {
      expect(allowances.take('a').isAllowed).toBe(true)
      allowances.giveBack('a')
    }
    allowances.giveBack('nobody')
    expect(allowances.take('nobody').remaining).toBe(2)
  })
})

describe('events that turn out only later to count', () => {
  test('are checked without being counted', () => {
    const { allowances } = world()
    for (let n = 0; n < 10; n += 1) expect(allowances.look('a').isAllowed).toBe(true)
    for (let n = 0; n < 3; n += 1) allowances.charge('a', 0)
    expect(allowances.look('a')).toEqual(allowances.take('a'))
    expect(allowances.look('a')).toMatchObject({ isAllowed: false, waitSeconds: 2 })
  })

  test('are counted although nothing is left, up to a limit of the wait', () => {
    const { allowances, clock } = world()
    for (let n = 0; n < 4; n += 1) allowances.charge('a', 10_000)
    expect(allowances.look('a').waitSeconds).toBe(4)
    for (let n = 0; n < 100; n += 1) allowances.charge('a', 10_000)
    expect(allowances.look('a').waitSeconds).toBe(12)
    clock.ms += 12_000
    expect(allowances.look('a').isAllowed).toBe(true)
  })
})

test('above the maximum, the keys counted longest ago are forgotten', () => {
  const { allowances } = world(2)
  for (const key of ['a', 'b', 'a', 'c']) allowances.take(key)
  expect(allowances.take('a').remaining).toBe(0)
  expect(allowances.take('b').remaining).toBe(2)
})

test('in any span, no more is allowed than the burst and the refill', () => {
  const gaps = fc.array(fc.nat({ max: 5_000 }), { minLength: 1, maxLength: 60 })
  fc.assert(
    fc.property(gaps, (waits) => {
      const { allowances, clock } = world()
      const begun = clock.ms
      let allowed = 0
      for (const wait of waits) {
        clock.ms += wait
        if (allowances.take('a').isAllowed) allowed += 1
        expect(allowed).toBeLessThanOrEqual(RULE.burst + (clock.ms - begun) / RULE.refillMs)
      }
    }),
  )
})
