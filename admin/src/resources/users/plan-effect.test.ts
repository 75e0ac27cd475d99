import { describe, expect, test } from 'vitest'
import type { AdminUser } from '../../api/client.ts'
import { changeEffects, changeName, type PlanTerms } from './plan-effect.ts'

const plans: readonly PlanTerms[] = [
  { id: 'disabled', domain_limit: 0, ttl: 3600, abilities: [] },
  { id: 'free', domain_limit: 5, ttl: 3600, abilities: [] },
  { id: 'pro', domain_limit: 100, ttl: 60, abilities: ['api_keys', 'wildcard'] },
  { id: 'elite', domain_limit: 500, ttl: 60, abilities: ['api_keys', 'wildcard', 'vanity_ns'] },
  { id: 'admin', domain_limit: 1000, ttl: 60, abilities: ['api_keys', 'wildcard'] },
]

const user = (fields: Partial<AdminUser> = {}): AdminUser => ({
  id: '7',
  username: 'ada',
  email: 'ada@example.net',
  email_verified: true,
  given_name: null,
  surname: null,
  plan: 'pro',
  account_type: 'pro',
  enabled: true,
  domain_count: 12,
  twofa_secret: null,
  created_at: '2026-05-01T12:00:00.000Z',
  last_login: null,
  last_login_ip: null,
  last_login_cc: null,
  account_create_cc: null,
  ...fields,
})

describe('a smaller plan', () => {
  test('says how many names it withholds, and what else goes', () => {
    expect(changeEffects(user(), { account_type: 'free' }, plans)).toEqual([
      'The limit becomes 5 names: of 12 names, the newest 7 will be withheld from DNS. Nothing is deleted; they come back when the plan grows or a place is freed.',
      'Resolvers will keep addresses for 1 hour instead of 60 seconds.',
      'Wildcards will be withheld.',
      'API keys will stop working.',
    ])
  })

  test('that holds all names says that too', () => {
    const [first] = changeEffects(user({ domain_count: 5 }), { account_type: 'free' }, plans)
    expect(first).toBe('The limit becomes 5 names: all 5 names stay served.')
  })
})

describe('a larger plan', () => {
  test('says what comes back', () => {
    const grown = user({ account_type: 'free', domain_count: 12 })
    expect(changeEffects(grown, { account_type: 'pro' }, plans)).toEqual([
      'The limit becomes 100 names: 7 withheld names will be served again.',
      'Resolvers will keep addresses for 60 seconds instead of 1 hour.',
      'Wildcards can be used.',
      'API keys can be used.',
    ])
  })

  test('between plans that differ in their limit alone, that alone is said', () => {
    expect(changeEffects(user(), { account_type: 'elite' }, plans)).toEqual([
      'The limit becomes 500 names: all 12 names stay served.',
    ])
  })
})

describe('the office', () => {
  test('is told when it is given and when it is taken', () => {
    expect(changeEffects(user(), { account_type: 'admin' }, plans).slice(1)).toEqual([
      'This person will reach the back office, and everybody’s accounts with it.',
      'All sessions end: they have to sign in again.',
    ])
    const boss = user({ account_type: 'admin' })
    expect(changeEffects(boss, { account_type: 'pro' }, plans)).toContain(
      'This person will no longer reach the back office.',
    )
  })
})

describe('access', () => {
  test.each([{ enabled: false }, { account_type: 'disabled' } as const])(
    '%j says that nothing is served and nothing lost',
    (change) => {
      expect(changeEffects(user({ domain_count: 1 }), change, plans)).toEqual([
        'This person can no longer sign in, and all sessions end.',
        'No longer served: 1 name. Updates are refused. Nothing is deleted.',
      ])
    },
  )

  test('given back', () => {
    expect(changeEffects(user({ enabled: false }), { enabled: true }, plans)).toEqual([
      'This person can sign in again, and their names are served as far as the plan allows.',
    ])
  })

  test('another plan for a closed account opens nothing', () => {
    expect(changeEffects(user({ enabled: false }), { account_type: 'elite' }, plans)).toEqual([
      'The account stays closed: its names are not served.',
    ])
  })
})

test('an account without names is told nothing of names', () => {
  const fresh = user({ domain_count: 0 })
  expect(changeEffects(fresh, { account_type: 'free' }, plans)[0]).toBe(
    'The limit becomes 5 names.',
  )
  expect(changeEffects(fresh, { enabled: false }, plans)).toHaveLength(1)
})

test('without the plans, the rule is said', () => {
  expect(changeEffects(user(), { account_type: 'free' }, [])).toEqual([
    expect.stringContaining('Names over the limit are withheld'),
  ])
})

test.each([
  [{ account_type: 'free' } as const, 'Change ada from Pro to Free?', 'Change plan'],
  [{ enabled: false }, 'Suspend ada?', 'Suspend'],
  [{ enabled: true, account_type: 'elite' } as const, 'Reactivate ada?', 'Reactivate'],
])('%j is called %s', (change, question, verb) => {
  expect(changeName(user(), change)).toEqual({ question, verb })
})

test('a name or an address is no matter of plan or access', () => {
  expect(changeEffects(user(), { email: 'new@example.net', surname: 'L' }, plans)).toEqual([])
  expect(changeEffects(user(), { account_type: 'pro', enabled: true }, plans)).toEqual([])
})
