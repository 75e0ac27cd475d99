import { describe, expect, test } from 'vitest'
import { InvalidSecrets } from './invalid-secrets.ts'

const HOME = '192.0.2.1'
let now = 0
const secrets = (isOn = true) => {
  now = 0
  return new InvalidSecrets(isOn, () => now)
}

/** Tries made-up secrets. @returns how many were looked up */
function flood(unknown: InvalidSecrets, count: number, ip = HOME): number {
  let asked = 0
  for (let n = 0; n < count; n += 1) {
    const digest = `made up ${now} ${n} ${ip}`
    if (unknown.check(digest, ip).kind !== 'ask') continue
    asked += 1
    unknown.wrong(digest, ip)
  }
  return asked
}

test('an invalid secret is looked up once in a minute', () => {
  const unknown = secrets()
  unknown.wrong('deleted', HOME)
  now = 59_999
  expect(unknown.check('deleted', HOME)).toEqual({ kind: 'unknown' })
  expect(unknown.check('deleted', '198.51.100.1')).toEqual({ kind: 'unknown' })
  now = 60_000
  expect(unknown.check('deleted', HOME)).toEqual({ kind: 'ask' })
})

describe('a network', () => {
  test('has sixty made-up ones looked up at once, then one in a second', () => {
    const unknown = secrets()
    expect(flood(unknown, 5_000)).toBe(60)
    expect(unknown.check('another', HOME)).toEqual({ kind: 'wait', retryAfterSeconds: 1 })
    now = 10_000
    expect(flood(unknown, 5_000)).toBe(10)
  })

  test('waits for about a minute at most, after any number of concurrent look-ups', () => {
    const unknown = secrets()
    for (let n = 0; n < 5_000; n += 1) unknown.wrong(`at once ${n}`, HOME)
    expect(unknown.check('another', HOME)).toEqual({ kind: 'wait', retryAfterSeconds: 61 })
    now = 61_000
    expect(unknown.check('another', HOME)).toEqual({ kind: 'ask' })
  })

  test('of IPv6 is a /64', () => {
    const unknown = secrets()
    for (let n = 0; n < 100; n += 1) flood(unknown, 1, `2001:db8::${n}`)
    expect(unknown.check('another', '2001:db8::ffff').kind).toBe('wait')
    expect(unknown.check('another', '2001:db8:0:1::1').kind).toBe('ask')
  })

  test('does not wait because of another network', () => {
    const unknown = secrets()
    flood(unknown, 5_000)
    expect(unknown.check('another', '192.0.2.2')).toEqual({ kind: 'ask' })
  })

  test('never waits without limits', () => {
    const unknown = secrets(false)
    expect(flood(unknown, 1_000)).toBe(1_000)
  })
})

test('a router behind the same address with a valid token still works', () => {
  const unknown = secrets()
  unknown.right('good')
  flood(unknown, 5_000)
  expect(unknown.check('good', HOME)).toEqual({ kind: 'known' })
  unknown.wrong('good', HOME)
  expect(unknown.check('good', HOME)).toEqual({ kind: 'unknown' })
})

test('the stored state is bounded', () => {
  const unknown = secrets()
  for (let n = 0; n < 20_001; n += 1)
    unknown.wrong(`d${n}`, `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`)
  expect(unknown.check('d0', '192.0.2.9')).toEqual({ kind: 'ask' })
  expect(unknown.check('d20000', '192.0.2.9')).toEqual({ kind: 'unknown' })
})

test('a secret that was right counts as known until it is wrong', () => {
  const unknown = secrets()
  expect(unknown.check('token', HOME)).toEqual({ kind: 'ask' })
  unknown.right('token')
  expect(unknown.check('token', HOME)).toEqual({ kind: 'known' })
  unknown.wrong('token', HOME)
  now = 60_000
  expect(unknown.check('token', HOME)).toEqual({ kind: 'ask' })
})
