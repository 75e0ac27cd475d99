import { describe, expect, test } from 'vitest'
import type { AdminUser } from '../../api/client.ts'
import { changeEffects, changeName, type PlanTerms } from './plan-effect.ts'

const plans: readonly PlanTerms[] = [
  {
    id: 'disabled',
    domain_limit: 0,
    ttl: 3600,
    stealth_flag_limit: 0,
    monitor_interval: 60,
    abilities: [],
  },
  {
    id: 'free',
    domain_limit: 5,
    ttl: 3600,
    stealth_flag_limit: 0,
    monitor_interval: 60,
    abilities: [],
  },
  {
    id: 'pro',
    domain_limit: 100,
    ttl: 60,
    stealth_flag_limit: 10,
    monitor_interval: 60,
    abilities: ['api_keys', 'wildcard', 'uptime', 'web_forward'],
  },
  {
    id: 'elite',
    domain_limit: 500,
    ttl: 60,
    stealth_flag_limit: 50,
    monitor_interval: 30,
    abilities: ['api_keys', 'wildcard', 'uptime', 'web_forward', 'vanity_ns'],
  },
  {
    id: 'admin',
    domain_limit: 1000,
    ttl: 60,
    stealth_flag_limit: 50,
    monitor_interval: 30,
    abilities: ['api_keys', 'wildcard', 'uptime', 'web_forward'],
  },
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
  monitoring_paused_at: null,
  monitoring_pause_reason: null,
  ...fields,
})

describe('a smaller plan', () => {
  test('says how many domains it withholds, and which features end', () => {
    expect(changeEffects(user(), { account_type: 'free' }, plans)).toEqual([
      'The domain limit changes to 5. Of 12 domains, the newest 7 will be withheld from DNS. Nothing is deleted. Withheld domains are served again when the plan allows more domains or the user deletes others.',
      'The TTL changes from 60 seconds to 60 minutes.',
      'Wildcards will be withheld.',
      'API keys will stop working.',
      'Web forwards can no longer be changed. Redirects continue.',
      'Monitors will stop. Their settings and history are kept.',
      'The limit of stealth web forwards changes from 10 to 0. Those over the limit act as redirects, the newest first. Nothing is deleted.',
    ])
  })

  test('that allows all domains says so too', () => {
    const [first] = changeEffects(user({ domain_count: 5 }), { account_type: 'free' }, plans)
    expect(first).toBe('The domain limit changes to 5. 5 domains are still served.')
  })
})

describe('a larger plan', () => {
  test('says what is restored', () => {
    const grown = user({ account_type: 'free', domain_count: 12 })
    expect(changeEffects(grown, { account_type: 'pro' }, plans)).toEqual([
      'The domain limit changes to 100. 7 withheld domains will be served again.',
      'The TTL changes from 60 minutes to 60 seconds.',
      'Wildcards can be used.',
      'API keys can be used.',
      'Web forwards can be created.',
      'Domains can be monitored, and stopped monitors continue.',
      'The limit of stealth web forwards changes from 0 to 10. Those over the former limit show their target in a frame again.',
    ])
  })

  test('between plans that differ only in their limits, only the limits are mentioned', () => {
    expect(changeEffects(user(), { account_type: 'elite' }, plans)).toEqual([
      'The domain limit changes to 500. 12 domains are still served.',
      'The limit of stealth web forwards changes from 10 to 50. Those over the former limit show their target in a frame again.',
      'The shortest interval of monitors changes from 60 seconds to 30 seconds. Monitors keep their interval, and owners can shorten it.',
    ])
  })
})

describe('the administrator role', () => {
  test('is mentioned when it is granted and when it is revoked', () => {
    expect(changeEffects(user(), { account_type: 'admin' }, plans).slice(-2)).toEqual([
      'The user will have access to the back office and to all accounts.',
      'All sessions end. The user must sign in again.',
    ])
    const boss = user({ account_type: 'admin' })
    expect(changeEffects(boss, { account_type: 'pro' }, plans)).toContain(
      'The user will no longer have access to the back office.',
    )
  })
})

describe('access', () => {
  test.each([{ enabled: false }, { account_type: 'disabled' } as const])(
    '%j says that no domain is served and nothing is deleted',
    (change) => {
      expect(changeEffects(user({ domain_count: 1 }), change, plans)).toEqual([
        'The user can no longer sign in, and all sessions end.',
        '1 domain will no longer be served. Updates are refused. Nothing is deleted.',
      ])
    },
  )

  test('given back', () => {
    expect(changeEffects(user({ enabled: false }), { enabled: true }, plans)).toEqual([
      'The user can sign in again. Their domains are served within the limits of the plan.',
    ])
  })

  test('another plan does not reopen a closed account', () => {
    expect(changeEffects(user({ enabled: false }), { account_type: 'elite' }, plans)).toEqual([
      'The account stays closed. Its domains are not served.',
    ])
  })
})

test('without domains, domains are not mentioned', () => {
  const fresh = user({ domain_count: 0 })
  expect(changeEffects(fresh, { account_type: 'free' }, plans)[0]).toBe(
    'The domain limit changes to 5.',
  )
  expect(changeEffects(fresh, { enabled: false }, plans)).toHaveLength(1)
})

test('if the plans could not be loaded, the rule is shown', () => {
  expect(changeEffects(user(), { account_type: 'free' }, [])).toEqual([
    expect.stringContaining('Domains over the limit are withheld'),
  ])
})

test.each([
  [{ account_type: 'free' } as const, 'Change ada from Pro to Free?', 'Change plan'],
  [{ enabled: false }, 'Suspend ada?', 'Suspend'],
  [{ enabled: true, account_type: 'elite' } as const, 'Reactivate ada?', 'Reactivate'],
])('%j is called %s', (change, question, verb) => {
  expect(changeName(user(), change)).toEqual({ question, verb })
})

test('a personal name or an address has no effects', () => {
  expect(changeEffects(user(), { email: 'new@example.net', surname: 'L' }, plans)).toEqual([])
  expect(changeEffects(user(), { account_type: 'pro', enabled: true }, plans)).toEqual([])
})
