import { expect, test } from 'vitest'
import { planAllows, requireAbility, requireFreePlace } from './plans.ts'

const pro = { abilities: new Set(['api_keys', 'wildcard']) }
const free = { abilities: new Set<string>() }

test('a plan allows what its row contains', () => {
  expect(planAllows(pro, 'wildcard')).toBe(true)
  expect(planAllows(pro, 'vanity_ns')).toBe(false)
  expect(planAllows(free, 'wildcard')).toBe(false)
})

test('a feature that a plan does not include is refused by name', () => {
  expect(() => requireAbility(pro, 'wildcard', 'Wildcards')).not.toThrow()
  expect(() => requireAbility(free, 'wildcard', 'Wildcards')).toThrow(
    expect.objectContaining({
      code: 'plan-required',
      message: 'Wildcards are not included in your plan. To use them, choose a larger plan.',
    }),
  )
})

test('the words agree with a feature in the singular', () => {
  expect(() => requireAbility(free, 'uptime', 'Uptime monitoring')).toThrow(
    'Uptime monitoring is not included in your plan. To use it, choose a larger plan.',
  )
})

test('the last place of a plan can be taken', () => {
  expect(() => requireFreePlace({ domainLimit: 5 }, 4)).not.toThrow()
})

test.each([
  [5, 5, /includes 5 domains and you have 5/],
  [5, 9, /includes 5 domains and you have 9/],
  [0, 0, /does not include any domains/],
])('a limit of %i with %i names has no place left', (domainLimit, owned, words) => {
  expect(() => requireFreePlace({ domainLimit }, owned)).toThrow(words)
})
