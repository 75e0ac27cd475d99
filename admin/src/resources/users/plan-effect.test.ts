import { describe, expect, test } from 'vitest'
import type { AdminUser, UserPlanPreview } from '../../api/client.ts'
import type { PaidPlan } from './payment-effect.ts'
import { type Basis, changeEffects, changeName, hasEffects } from './plan-effect.ts'

const plans = [
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
] as const

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
  version: 'a',
  ...fields,
})

const plan = (id: UserPlanPreview['to']) => {
  const found = plans.find((each) => each.id === id)
  if (found === undefined) throw new Error(`there is no plan ${id}`)
  return { ...found, abilities: [...found.abilities] as string[] }
}

const names = (number: number) =>
  Array.from({ length: number }, (_, at) => ({
    id: `${at}`,
    fqdn: `n${at}.example.net`,
    is_wildcard: false,
  }))

const WILDCARD = { id: 'w', fqdn: '*.n0.example.net', is_wildcard: true }

/** The basis of a change between two plans. */
function basis(
  from: UserPlanPreview['from'],
  to: UserPlanPreview['to'],
  fields: Partial<UserPlanPreview> & { readonly paid?: PaidPlan } = {},
): Basis {
  const { paid, ...others } = fields
  const [before, after] = [plan(from), plan(to)]
  const without = (some: readonly string[], other: readonly string[]) =>
    some.filter((each) => !other.includes(each))
  const preview: UserPlanPreview = {
    from,
    to,
    domain_limit: { before: before.domain_limit, after: after.domain_limit },
    ttl: { before: before.ttl, after: after.ttl },
    abilities_gained: without(after.abilities, before.abilities),
    abilities_lost: without(before.abilities, after.abilities),
    withheld: [],
    restored: [],
    ttl_change_count: 0,
    api_keys: 'unchanged',
    api_key_count: 0,
    trust_policy_count: 0,
    ends_sessions: false,
    blocks_account: false,
    ...others,
  }
  return { preview, plans: plans.map(({ id }) => plan(id)), paid }
}

const PAID: PaidPlan = { plan: 'pro', state: 'active', period_end: '2026-12-29T12:00:00.000Z' }

describe('a smaller plan', () => {
  test('says how many domains it withholds, and which features end', () => {
    const smaller = basis('pro', 'free', { withheld: [...names(7), WILDCARD] })
    expect(changeEffects(user(), { account_type: 'free' }, smaller)).toEqual([
      'The domain limit changes to 5. Of 12 domains, 7 will be withheld from DNS, the newest first. Nothing is deleted. Withheld domains are served again when the plan allows more domains or the user deletes others.',
      'The TTL changes from 60 seconds to 60 minutes.',
      'Wildcards will be withheld.',
      'API keys will stop working.',
      'Web forwards can no longer be changed. Redirects continue.',
      'Monitors will stop. Their settings and history are kept.',
      'The limit of stealth web forwards changes from 10 to 0. Those over the limit act as redirects, the newest first. Nothing is deleted.',
    ])
  })

  test.each([
    [5, 'The domain limit changes to 5. 5 domains are still served.'],
    [6, 'The domain limit changes to 5. The number of withheld domains stays the same.'],
    [0, 'The domain limit changes to 5.'],
  ])('with %i domains, of which it withholds no other, says so', (domain_count, text) => {
    const [first] = changeEffects(
      user({ domain_count }),
      { account_type: 'free' },
      basis('pro', 'free'),
    )
    expect(first).toBe(text)
  })
})

describe('a larger plan', () => {
  test('says what is restored', () => {
    const grown = user({ account_type: 'free' })
    const larger = basis('free', 'pro', { restored: [...names(7), WILDCARD] })
    expect(changeEffects(grown, { account_type: 'pro' }, larger)).toEqual([
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
    expect(changeEffects(user(), { account_type: 'elite' }, basis('pro', 'elite'))).toEqual([
      'The domain limit changes to 500. 12 domains are still served.',
      'The limit of stealth web forwards changes from 10 to 50. Those over the former limit show their target in a frame again.',
      'The shortest interval of monitors changes from 60 seconds to 30 seconds. Monitors keep their interval, and owners can shorten it.',
    ])
  })

  test('if the plans could not be loaded, their own limits are not mentioned', () => {
    const larger = { ...basis('pro', 'elite'), plans: [] }
    expect(changeEffects(user(), { account_type: 'elite' }, larger)).toHaveLength(1)
  })
})

describe('a plan that is paid for', () => {
  test('stays, and nothing else is announced', () => {
    const stays = basis('pro', 'pro', { paid: PAID })
    expect(changeEffects(user(), { account_type: 'free' }, stays)).toEqual([
      'The plan stays Pro, because it is paid for.',
      'If the account has a complimentary plan, that plan is removed.',
    ])
  })

  test('is what remains of a larger complimentary one', () => {
    const remains = basis('elite', 'pro', { paid: PAID })
    const [first, second, third] = changeEffects(
      user({ account_type: 'elite' }),
      { account_type: 'free' },
      remains,
    )
    expect([first, second]).toEqual([
      'The plan becomes Pro and not Free, because it is paid for.',
      'If the account has a complimentary plan, that plan is removed.',
    ])
    expect(third).toMatch(/^The domain limit changes to 100\./)
  })

  test('hides a smaller complimentary one until it ends', () => {
    const hidden = basis('elite', 'elite', { paid: { ...PAID, plan: 'elite' } })
    expect(changeEffects(user({ account_type: 'elite' }), { account_type: 'pro' }, hidden)).toEqual(
      [
        'The plan stays Elite, because it is paid for.',
        'Pro becomes the complimentary plan, which stays when Elite ends.',
      ],
    )
  })

  test('can be a trial, if no subscription is known', () => {
    const [first] = changeEffects(user(), { account_type: 'free' }, basis('pro', 'pro'))
    expect(first).toBe('The plan stays Pro, because it is paid for or on trial.')
  })
})

describe('the administrator role', () => {
  test('is mentioned when it is granted and when it is revoked', () => {
    expect(
      changeEffects(user(), { account_type: 'admin' }, basis('pro', 'admin')).slice(-2),
    ).toEqual([
      'The user will have access to the back office and to all accounts.',
      'All sessions end. The user must sign in again.',
    ])
    const boss = user({ account_type: 'admin' })
    expect(changeEffects(boss, { account_type: 'pro' }, basis('admin', 'pro'))).toContain(
      'The user will no longer have access to the back office.',
    )
  })
})

describe('access', () => {
  test.each([
    [{ enabled: false }, 'pro'],
    [{ account_type: 'disabled' }, 'disabled'],
  ] as const)('%j says that no domain is served and nothing is deleted', (change, to) => {
    expect(changeEffects(user({ domain_count: 1 }), change, basis('pro', to))).toEqual([
      'The user can no longer sign in, and all sessions end.',
      '1 domain will no longer be served. Updates are refused. Nothing is deleted.',
    ])
  })

  test('given back', () => {
    expect(changeEffects(user({ enabled: false }), { enabled: true }, basis('pro', 'pro'))).toEqual(
      ['The user can sign in again. Their domains are served within the limits of the plan.'],
    )
  })

  test('another plan does not reopen a closed account', () => {
    expect(
      changeEffects(user({ enabled: false }), { account_type: 'elite' }, basis('pro', 'elite')),
    ).toEqual(['The account stays closed. Its domains are not served.'])
  })

  test('without domains, domains are not mentioned', () => {
    const fresh = user({ domain_count: 0 })
    expect(changeEffects(fresh, { enabled: false }, basis('pro', 'pro'))).toHaveLength(1)
  })
})

describe('the subscription of an account', () => {
  const renewal = 'The subscription is not renewed: it ends on 29 December 2026.'

  test.each([
    [{ enabled: false }, 'pro', PAID, renewal],
    [{ account_type: 'disabled' }, 'disabled', PAID, renewal],
    [{ enabled: false }, 'pro', { ...PAID, state: 'past_due' }, 'The subscription is not renewed.'],
  ] as const)('that is closed by %j to %s is not renewed', (change, to, paid, text) => {
    expect(changeEffects(user(), change, basis('pro', to, { paid })).at(-1)).toBe(text)
  })

  test('that is closed is not mentioned if it was cancelled before', () => {
    const paid = { ...PAID, state: 'canceled' } as const
    expect(changeEffects(user(), { enabled: false }, basis('pro', 'pro', { paid }))).toHaveLength(2)
  })

  test.each([
    [{ enabled: false }, { enabled: true }, 'pro'],
    [{ account_type: 'disabled' }, { account_type: 'pro' }, 'disabled'],
  ] as const)('that was closed by %j and is opened by %j is not resumed', (was, change, from) => {
    const paid = { ...PAID, state: 'canceled' } as const
    expect(changeEffects(user(was), change, basis(from, 'pro', { paid }))).toContain(
      'The subscription stays cancelled. Only its owner can resume it.',
    )
  })
})

test.each([
  [{ account_type: 'free' } as const, 'free', 'Change ada from Pro to Free?', 'Change plan'],
  [
    { account_type: 'free' } as const,
    'pro',
    'Change the complimentary plan of ada?',
    'Change plan',
  ],
  [{ enabled: false }, 'pro', 'Suspend ada?', 'Suspend'],
  [{ enabled: true, account_type: 'elite' } as const, 'elite', 'Reactivate ada?', 'Reactivate'],
] as const)('%j to %s is called %s', (change, to, question, verb) => {
  expect(changeName(user(), change, to)).toEqual({ question, verb })
})

test('a personal name or an address has no effects', () => {
  expect(hasEffects({ email: 'new@example.net', surname: 'L' })).toBe(false)
  expect([hasEffects({ account_type: 'pro' }), hasEffects({ enabled: false })]).toEqual([
    true,
    true,
  ])
})
