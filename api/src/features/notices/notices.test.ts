/** The notices of an account: what causes them, that a dismissed one stays hidden until its cause occurs again, and whose they are. */
import type { Notice } from '@homing/openapi'
import { beforeEach, describe, expect, test } from 'vitest'
import { useAccountWorld } from '../../../test/support/account-world.ts'
import { type Caller, PASSWORD } from '../../../test/support/api-world.ts'
import { problemOf } from '../../../test/support/calls.ts'
import { insertDomain } from '../../../test/support/feed-world.ts'
import { runJobs } from '../../../test/support/mail.ts'
import { query, type SqlValue } from '../../database/sql.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const t = useAccountWorld()

const sql = (text: string, ...bindings: SqlValue[]) => query(t.world.knex, text, bindings)
const pass = (ms: number) => (t.clock = new Date(t.clock.getTime() + ms))
const ago = (ms: number) => new Date(t.clock.getTime() - ms)

async function noticesOf(who: Caller = t.ada): Promise<Notice[]> {
  const reply = await t.as(who.headers, 'GET', '/api/me/notices')
  expect(reply.status).toBe(200)
  return reply.json()
}
const kindsOf = async (who?: Caller) => (await noticesOf(who)).map(({ kind }) => kind)
const noticeOf = async (kind: Notice['kind']) =>
  (await noticesOf()).find((notice) => notice.kind === kind)
const dismiss = (id: string, who: Caller = t.ada) =>
  t.as(who.headers, 'POST', `/api/me/notices/${id}/dismiss`)

async function domain(label: string, columns: Record<string, SqlValue> = {}): Promise<string> {
  const fqdn = `${label}${t.people}.homing.test`
  const { id } = await insertDomain(t.world.knex, { userId: t.ada.id, fqdn, ipv4: '192.0.2.1' })
  for (const [column, value] of Object.entries(columns)) {
    await sql(`update domains set ${column} = ? where id = ?`, value, id)
  }
  return id
}

const key = (name: string, created: Date, ends: Date) =>
  sql(
    `insert into api_keys (user_id, name, prefix, secret_digest, created_at, expires_at)
     values (?, ?, 'ak_1234567', uuid_send(gen_random_uuid()), ?, ?)`,
    t.ada.id,
    name,
    created,
    ends,
  )
const attempt = (success: boolean, method: string, at = t.clock) =>
  sql(
    `insert into login_history (user_id, at, ip, cc, success, method) values (?, ?, '192.0.2.7', 'SE', ?, ?)`,
    t.ada.id,
    at,
    success,
    method,
  )
const codes = (unused: number) =>
  sql(
    `insert into recovery_codes (user_id, code_digest, created_at, used_at)
     select ?, uuid_send(gen_random_uuid()), now() - interval '1 day', case when n > ? then now() end
     from generate_series(1, 10) n`,
    t.ada.id,
    unused,
  )

// Accounts that know the way, of different ages. The first steps have their own tests.
beforeEach(async () => {
  const age = 'update users set created_at = ? where id = ?'
  await sql(age, ago(60 * DAY_MS), t.ada.id)
  await sql(age, ago(61 * DAY_MS), t.bob.id)
})

describe('an account', () => {
  test('of a paid plan with nothing to do has none', async () => {
    await domain('home')
    await key('backup', ago(DAY_MS), ago(-30 * DAY_MS))
    expect(await noticesOf()).toEqual([])
  })

  test('on the free plan is told what the next plan includes and costs', async () => {
    await sql(`update users set account_type = 'free' where id = ?`, t.ada.id)
    expect(await noticesOf()).toEqual([
      {
        id: expect.stringMatching(/^free-plan-\d+$/),
        kind: 'free-plan',
        severity: 'info',
        title: 'Upgrade to Pro',
        text: 'Pro includes 100 domains with a TTL of 60 seconds, for $10 per month.',
        action: { label: 'Compare Plans', url: '/pricing' },
        dismissable: true,
        created_at: expect.any(String),
      },
    ])
  })

  test('has the most important notice first', async () => {
    await sql(
      `update users set account_type = 'free', terms_version = '2020-01-01', terms_accepted_at = now(),
         has_second_factor = true where id = ?`,
      t.ada.id,
    )
    await codes(1)
    await attempt(true, 'password_recovery_code')
    for (let n = 0; n < 5; n += 1) await domain(`n${n}`)
    await key('backup', ago(DAY_MS), ago(-DAY_MS))
    expect(await kindsOf()).toEqual([
      'recovery-code-used',
      'recovery-codes-few',
      'keys-not-in-plan',
      'domain-limit',
      'terms-changed',
      'free-plan',
    ])
  })
})

describe('domains', () => {
  test('that are withheld by the limit of the plan are named', async () => {
    for (const label of ['d', 'c', 'b', 'a']) await domain(label, { over_limit: true })
    const notice = await noticeOf('domains-over-limit')
    const named = ['a', 'b', 'c'].map((label) => `${label}${t.people}.homing.test`).join(', ')
    expect(notice).toMatchObject({
      severity: 'error',
      title: `DNS does not answer for ${named} and 1 more domain`,
    })
  })

  test('that are locked are named', async () => {
    await domain('home', { locked: true })
    expect(await noticeOf('domains-locked')).toMatchObject({
      title: `An administrator locked home${t.people}.homing.test`,
    })
  })

  test('that get no update are named to owners who asked, and again when another falls silent', async () => {
    await domain('home', { created_at: ago(9 * DAY_MS), last_update_at: ago(4 * DAY_MS) })
    const other = await domain('nas', { created_at: ago(9 * DAY_MS), last_update_at: ago(DAY_MS) })
    expect(await kindsOf()).toEqual([])
    await t.as(t.ada.headers, 'PUT', '/api/me/notifications', { not_updated_days: 3 })
    const first = await noticeOf('domains-silent')
    expect(first?.title).toBe(`No update for home${t.people}.homing.test`)
    await dismiss(first?.id ?? '')
    expect(await kindsOf()).toEqual([])
    pass(2 * DAY_MS)
    const second = await noticeOf('domains-silent')
    expect(second?.title).toContain(`nas${t.people}.homing.test`)
    expect(second?.id).not.toBe(first?.id)
    await dismiss(second?.id ?? '')
    // One of them is updated again: nothing new has happened to the other.
    await sql('update domains set last_update_at = ? where id = ?', t.clock, other)
    expect(await kindsOf()).toEqual([])
  })
})

describe('keys', () => {
  test('that expire soon cause a notice, and again when the next one does', async () => {
    await key('backup', ago(30 * DAY_MS), ago(-6 * DAY_MS))
    await key('pipeline', ago(30 * DAY_MS), ago(-9 * DAY_MS))
    const first = await noticeOf('keys-expiring')
    expect(first).toMatchObject({
      title: 'The API key “backup” expires soon',
      action: { url: '/#settings/api-keys' },
    })
    await dismiss(first?.id ?? '')
    expect(await kindsOf()).toEqual([])
    pass(3 * DAY_MS)
    expect((await noticeOf('keys-expiring'))?.title).toBe(
      '2 API keys expire soon: “backup” and “pipeline”',
    )
  })

  test('that the plan does not include cause a notice again after another plan', async () => {
    await key('backup', ago(DAY_MS), ago(-30 * DAY_MS))
    await sql(`update users set account_type = 'free' where id = ?`, t.ada.id)
    for (const { id } of await noticesOf()) expect((await dismiss(id)).status).toBe(204)
    expect(await kindsOf()).toEqual([])
    const admin = await t.world.person(`admin${t.people}`, 'admin')
    for (const account_type of ['pro', 'free']) {
      const url = `/api/admin/users/${t.ada.id}`
      expect((await t.as(admin.headers, 'PUT', url, { account_type })).status).toBe(200)
    }
    expect(await kindsOf()).toEqual(['keys-not-in-plan', 'free-plan'])
  })
})

describe('signing in', () => {
  test('that fails often within a day causes a notice once a day; update clients do not count', async () => {
    for (let n = 0; n < 9; n += 1) await attempt(false, 'password')
    for (let n = 0; n < 9; n += 1) await attempt(false, 'update_password')
    expect(await kindsOf()).toEqual([])
    await attempt(false, 'password')
    const notice = await noticeOf('failed-sign-ins')
    expect(notice?.title).toBe('10 sign-ins failed within a day. Was this you?')
    await dismiss(notice?.id ?? '')
    await attempt(false, 'password')
    expect(await kindsOf()).toEqual([])
  })

  test('with a recovery code causes a notice for a week', async () => {
    await attempt(true, 'password_recovery_code', ago(6 * DAY_MS))
    expect((await noticeOf('recovery-code-used'))?.text).toContain('from 192.0.2.7 (SE)')
    pass(2 * DAY_MS)
    expect(await kindsOf()).toEqual([])
  })

  test('without recovery codes cannot be dismissed', async () => {
    await sql('update users set has_second_factor = true where id = ?', t.ada.id)
    await codes(0)
    const notice = await noticeOf('recovery-codes-few')
    expect(notice).toMatchObject({ severity: 'error', dismissable: false })
    expect(problemOf(await dismiss(notice?.id ?? ''))).toMatchObject({ code: 'conflict' })
    expect(await kindsOf()).toEqual(['recovery-codes-few'])
  })
})

test('a change of address says the same whether somebody else has the new address or not', async () => {
  const seen: Partial<Notice>[] = []
  for (const email of [`new${t.people}@mail.test`, `${t.bob.username}@mail.test`]) {
    await t.as(t.ada.headers, 'POST', '/api/change-email', { email, password: PASSWORD })
    await runJobs(t.world.services, t.mailer)
    const [notice] = await noticesOf()
    expect(notice?.kind).toBe('email-change')
    seen.push({ ...notice, id: '', created_at: '' })
  }
  expect(seen[0]).toEqual(seen[1])
})

describe('dismissing', () => {
  const limit = async () => {
    await sql(`update users set account_type = 'free' where id = ?`, t.ada.id)
    return (await noticeOf('free-plan'))?.id ?? ''
  }

  test('is repeated without harm, and holds after the cause is gone', async () => {
    const id = await limit()
    expect((await dismiss(id)).status).toBe(204)
    expect((await dismiss(id)).status).toBe(204)
    expect(await noticesOf()).toEqual([])
    await sql(`update users set account_type = 'pro' where id = ?`, t.ada.id)
    expect((await dismiss(id)).status).toBe(204)
  })

  test('of calls at once leaves one row', async () => {
    const id = await limit()
    const replies = await Promise.all(Array.from({ length: 8 }, () => dismiss(id)))
    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 204))
    expect(await sql('select 1 from notice_dismissals where user_id = ?', t.ada.id)).toHaveLength(1)
  })

  test.each([
    'free-plan-1',
    'terms-changed-1778574600000',
    'free-plan-999999999999999',
    'unknown-kind-1',
  ])('%s, which nobody has, is not found', async (id) => {
    await limit()
    expect(problemOf(await dismiss(id))).toMatchObject({ status: 404, code: 'not-found' })
  })

  test('belongs to one account', async () => {
    const id = await limit()
    await sql(`update users set account_type = 'free' where id = ?`, t.bob.id)
    expect(problemOf(await dismiss(id, t.bob))).toMatchObject({ status: 404 })
    await dismiss(id)
    expect(await kindsOf(t.bob)).toEqual(['free-plan'])
  })
})

describe('a subscription', () => {
  let subscriptionCount = 0

  /** A subscription of Ada's to Pro, annual. */
  async function subscribe(columns: Record<string, SqlValue>): Promise<void> {
    await sql('delete from subscriptions where user_id = ?', t.ada.id)
    subscriptionCount += 1
    const entries = Object.entries({
      user_id: t.ada.id,
      provider: 'stripe',
      provider_id: `sub_notice${t.people}_${subscriptionCount}`,
      provider_status: 'any',
      ...columns,
    })
    await sql(
      `insert into subscriptions (${entries.map(([name]) => name).join(', ')}, price_id)
       select ${entries.map(() => '?').join(', ')}, id from plan_prices where plan = 'pro' and billing = 'annual'`,
      ...entries.map(([, value]) => value),
    )
  }

  test('whose payment failed comes before everything else, and cannot be dismissed', async () => {
    await domain('home', { over_limit: true })
    const end = ago(-10 * DAY_MS)
    await subscribe({ state: 'past_due', first_failed_at: ago(4 * DAY_MS), ends_at: end })
    const [first, second] = await noticesOf()
    expect(first).toMatchObject({
      kind: 'payment-failed',
      severity: 'error',
      title: 'Your last payment failed',
      action: { label: 'Resolve', url: '/#settings/subscription' },
      dismissable: false,
    })
    const day = end.toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
    expect(first?.text).toContain(`You keep the Pro plan until ${day}.`)
    expect(second?.kind).toBe('domains-over-limit')
  })

  test('that was cancelled causes a notice two weeks before its end', async () => {
    await subscribe({ state: 'canceled', ends_at: ago(-15 * DAY_MS) })
    expect(await kindsOf()).toEqual([])
    pass(2 * DAY_MS)
    expect(await kindsOf()).toEqual(['subscription-ending'])
    // Another one that the owner approved continues the plan.
    await sql(
      `insert into subscriptions (user_id, provider, provider_id, provider_status, state, waits_until, started_at, price_id)
       select user_id, 'paypal', 'I-NEXT-' || id, 'ACTIVE', 'incomplete', ends_at, now(), price_id from subscriptions where user_id = ?`,
      t.ada.id,
    )
    expect(await kindsOf()).toEqual([])
  })

  test('whose card expires causes a notice a month before, unless it ends anyway', async () => {
    const card_expires_at = ago(-31 * DAY_MS)
    await subscribe({ state: 'active', card_expires_at })
    expect(await kindsOf()).toEqual([])
    pass(2 * DAY_MS)
    expect(await kindsOf()).toEqual(['card-expiring'])
    await subscribe({ state: 'canceled', card_expires_at, ends_at: ago(-60 * DAY_MS) })
    expect(await kindsOf()).toEqual([])
  })

  test('that is surplus causes none', async () => {
    await subscribe({ state: 'past_due', first_failed_at: t.clock, is_surplus: true })
    expect(await kindsOf()).toEqual([])
  })
})
