import { describe, expect, test } from 'vitest'
import type { AdminPlanPreview } from '../../api/client.ts'
import { planChangeEffects } from './plan-change-effect.ts'

const preview = (fields: Partial<AdminPlanPreview> = {}): AdminPlanPreview => ({
  id: 'pro',
  domain_limit: { before: 100, after: 100 },
  ttl: { before: 60, after: 60 },
  stealth_flag_limit: { before: 10, after: 10 },
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
  test('that reaches no name says so', () => {
    expect(planChangeEffects(preview())).toEqual([
      '250 accounts are on this plan; no name of theirs changes.',
    ])
    expect(planChangeEffects(preview({ account_count: 0 }))).toEqual([
      'No account is on this plan.',
    ])
  })

  test('to less says what is withheld, what is not allowed, and what becomes of keys', () => {
    const smaller = preview({
      domain_limit: { before: 100, after: 1 },
      changed_account_count: 3,
      withheld_count: 1,
      abilities_lost: ['api_keys', 'wildcard'],
      api_keys: 'refused',
    })
    expect(planChangeEffects(smaller)).toEqual([
      '250 accounts are on this plan; names of 3 change.',
      'The limit becomes 1 name instead of 100.',
      '1 name will be withheld from DNS, of each account the newest. Nothing is deleted; they come back when the plan grows or a place is freed.',
      'No longer allowed: API keys, Wildcards.',
      '310 API keys and 1 trust policy will be refused from now on. They are kept.',
    ])
  })

  test('to more says what comes back', () => {
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
      '1 account is on this plan; names of 1 change.',
      'Resolvers will keep addresses for 60 seconds instead of 1 hour: 5,000 names.',
      'Stealth web forwards: 1,000 instead of 10.',
      '1,200 names will be served again.',
      'Allowed from now on: API keys, teleport.',
      '310 API keys and 0 trust policies will be accepted again.',
    ])
  })
})
