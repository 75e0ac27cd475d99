import { describe, expect, test } from 'vitest'
import type { AdminPlanPreview } from '../../api/client.ts'
import { planChangeEffects } from './plan-change-effect.ts'

const preview = (fields: Partial<AdminPlanPreview> = {}): AdminPlanPreview => ({
  id: 'pro',
  domain_limit: { before: 100, after: 100 },
  ttl: { before: 60, after: 60 },
  stealth_flag_limit: { before: 10, after: 10 },
  monitor_interval: { before: 60, after: 60 },
  record_limit: { before: 1_000, after: 1_000 },
  abilities_gained: [],
  abilities_lost: [],
  account_count: 250,
  changed_account_count: 0,
  withheld_count: 0,
  restored_count: 0,
  ttl_change_count: 0,
  api_keys: 'unchanged',
  api_key_count: 310,
  trust_policy_count: 1,
  ...fields,
})

describe('a change of a plan', () => {
  test('that changes no domain says so', () => {
    expect(planChangeEffects(preview())).toEqual([
      '250 accounts are on this plan. Their domains do not change.',
    ])
    expect(planChangeEffects(preview({ account_count: 0 }))).toEqual(['No accounts use this plan.'])
  })

  test('to a smaller plan says what is withheld, what is not allowed, and what happens to keys', () => {
    const smaller = preview({
      domain_limit: { before: 100, after: 1 },
      changed_account_count: 3,
      withheld_count: 1,
      abilities_lost: ['api_keys', 'wildcard'],
      api_keys: 'refused',
    })
    expect(planChangeEffects(smaller)).toEqual([
      '250 accounts are on this plan. Accounts whose domains change: 3.',
      'The domain limit changes from 100 to 1.',
      '1 domain will be withheld from DNS, the newest of each account first. Nothing is deleted. Withheld domains are served again when the plan allows more domains or the account deletes others.',
      'No longer allowed: API keys, Wildcards.',
      '310 API keys and 1 trust policy will be refused. They are not deleted.',
    ])
  })

  test.each([
    [{ before: 1_000, after: 10_000 }, 'from 1,000 to 10,000.'],
    [
      { before: 1_000, after: 0 },
      'from 1,000 to 0. Accounts with more records keep them, and cannot add others.',
    ],
  ])('to the record limit %j says what happens to records', (record_limit, words) => {
    expect(planChangeEffects(preview({ record_limit }))).toContain(
      `The record limit changes ${words}`,
    )
  })

  test.each([
    [
      { before: 30, after: 300 },
      'from 30 seconds to 5 minutes. Monitors with a shorter interval get the new one.',
    ],
    [
      { before: 60, after: 30 },
      'from 60 seconds to 30 seconds. Monitors keep their interval, and owners can shorten it.',
    ],
  ])('to the interval %j says what happens to monitors', (monitor_interval, words) => {
    expect(planChangeEffects(preview({ monitor_interval }))).toContain(
      `The shortest interval of monitors changes ${words}`,
    )
  })

  test('to a larger plan says what is restored', () => {
    const larger = preview({
      account_count: 1,
      changed_account_count: 1,
      ttl: { before: 3600, after: 60 },
      stealth_flag_limit: { before: 10, after: 1000 },
      restored_count: 1200,
      ttl_change_count: 5000,
      abilities_gained: ['api_keys', 'teleport'],
      api_keys: 'accepted',
      trust_policy_count: 0,
    })
    expect(planChangeEffects(larger)).toEqual([
      '1 account is on this plan. Accounts whose domains change: 1.',
      'The TTL changes from 60 minutes to 60 seconds for 5,000 domains.',
      'The limit of stealth web forwards changes from 10 to 1,000. Those over the former limit show their target in a frame again.',
      '1,200 domains will be served again.',
      'Newly allowed: API keys, teleport.',
      '310 API keys and 0 trust policies will be accepted again.',
    ])
  })
})
