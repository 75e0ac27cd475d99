import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  accountTypeOf,
  changedStanding,
  changeOfAdministrator,
  type Grant,
  type Standing,
} from './account-grants.ts'

const NOW = new Date('2026-03-02T09:00:00Z')
const grant = (source: Grant['source'], plan: Grant['plan'], until: Date | null = null): Grant => ({
  source,
  plan,
  until,
})
const nobody: Standing = { isAdministrator: false, isDisabled: false, grants: [] }

describe('the account type', () => {
  test.each([
    ['free', nobody],
    ['pro', { ...nobody, grants: [grant('payment', 'pro')] }],
    ['elite', { ...nobody, grants: [grant('payment', 'pro'), grant('complimentary', 'elite')] }],
    ['elite', { ...nobody, grants: [grant('payment', 'elite'), grant('trial', 'pro')] }],
    ['admin', { ...nobody, isAdministrator: true, grants: [grant('payment', 'elite')] }],
    ['disabled', { isAdministrator: true, isDisabled: true, grants: [grant('payment', 'pro')] }],
  ] as const)('is %s', (type, standing) => {
    expect(accountTypeOf(standing)).toBe(type)
  })

  test('does not count a grant whose time is over', () => {
    const before = { ...nobody, grants: [grant('trial', 'elite', NOW), grant('payment', 'pro')] }
    expect(accountTypeOf(changedStanding(before, {}, NOW))).toBe('pro')
  })
})

describe('what an administrator wants', () => {
  const paid = { ...nobody, grants: [grant('payment', 'pro'), grant('complimentary', 'elite')] }

  test.each([
    ['free', 'pro'],
    ['pro', 'pro'],
    ['elite', 'elite'],
    ['admin', 'admin'],
    ['disabled', 'disabled'],
  ] as const)('%s: an account with a paid plan is %s', (wanted, type) => {
    const after = changedStanding(paid, changeOfAdministrator(wanted), NOW)
    expect(accountTypeOf(after)).toBe(type)
    expect(after.grants).toContainEqual(grant('payment', 'pro'))
  })

  test('an account that was disabled and is enabled again has what it had', () => {
    const disabled = changedStanding(paid, changeOfAdministrator('disabled'), NOW)
    const again = changedStanding(disabled, { isDisabled: false }, NOW)
    expect(accountTypeOf(again)).toBe('elite')
  })

  test('without a payment, the account is what the administrator says', () => {
    const types = fc.array(fc.constantFrom('free', 'pro', 'elite', 'admin', 'disabled'))
    fc.assert(
      fc.property(types, (wishes) => {
        const end = wishes.reduce<Standing>(
          (standing, wish) => changedStanding(standing, changeOfAdministrator(wish), NOW),
          nobody,
        )
        expect(accountTypeOf(end)).toBe(wishes.at(-1) ?? 'free')
      }),
    )
  })
})
