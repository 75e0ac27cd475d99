/** Mails about API keys that expire: when they are sent, to whom, and that each is sent once. */
import { describe, expect, test } from 'vitest'
import type { SqlValue } from '../../database/sql.ts'
import { notifyExpiringKeys } from './expiring-keys.ts'
import { DAY_MS, HOUR_MS, useNoticeWorld } from './test-support.ts'

const { t, sql, pass, ago, mailsOf } = useNoticeWorld()

describe('keys that expire', () => {
  const insertKey = (name: string, columns: Record<string, SqlValue>) => {
    const names = Object.keys(columns)
    return sql(
      `insert into api_keys (user_id, name, prefix, secret_digest, ${names.join(', ')})
       values (?, ?, 'ak_1234567', uuid_send(gen_random_uuid()), ${names.map(() => '?').join(', ')})`,
      t.ada.id,
      name,
      ...Object.values(columns),
    )
  }
  const key = (name: string, age: number, end: number) =>
    insertKey(name, { created_at: ago(age), expires_at: ago(-end) })

  test('cause one mail seven days before, and another when the expiry changes', async () => {
    await key('pipeline', 30 * DAY_MS, 8 * DAY_MS)
    expect(await mailsOf(notifyExpiringKeys)).toEqual([])
    pass(DAY_MS)
    const [mail] = await mailsOf(notifyExpiringKeys)
    expect(mail).toContain(`${t.ada.username}@mail.test Homing: An API key expires soon`)
    expect(mail).toContain('“pipeline” (ak_1234567…) expires at ')
    expect(await mailsOf(notifyExpiringKeys)).toEqual([])
    await sql(`update api_keys set expires_at = expires_at + interval '1 day'`)
    expect(await mailsOf(notifyExpiringKeys)).toEqual([])
    pass(DAY_MS)
    expect(await mailsOf(notifyExpiringKeys)).toHaveLength(1)
  })

  test('with a short lifetime cause a mail at half of it; keys without an expiry cause none', async () => {
    await key('short', 0, 4 * DAY_MS)
    await insertKey('for ever', { created_at: ago(DAY_MS) })
    expect(await mailsOf(notifyExpiringKeys)).toEqual([])
    pass(2 * DAY_MS)
    const [mail, another] = await mailsOf(notifyExpiringKeys)
    expect([mail, another]).toEqual([expect.stringContaining('“short”'), undefined])
  })

  test('cause no mail while they are used, and a mail when they are not', async () => {
    await insertKey('used', { unused_days: 5, unused_expires_at: ago(-5 * DAY_MS) })
    await insertKey('unused', { unused_days: 90, unused_expires_at: ago(-7 * DAY_MS) })
    const [mail] = await mailsOf(notifyExpiringKeys)
    expect(mail).toContain('An API key expires soon')
    expect(mail).toContain('“unused”')
  })

  test('that have two ends cause one mail for each; use moves only one of them', async () => {
    await insertKey('both', {
      created_at: ago(30 * DAY_MS),
      expires_at: ago(-6 * DAY_MS),
      unused_days: 1,
      unused_expires_at: ago(-DAY_MS),
    })
    const use = () =>
      sql('update api_keys set unused_expires_at = ?', new Date(t.clock.getTime() + DAY_MS))
    const [mail] = await mailsOf(notifyExpiringKeys)
    expect(mail).not.toContain('unless it is used')
    for (let hour = 0; hour < 24; hour += 1) {
      pass(HOUR_MS)
      await use()
      expect(await mailsOf(notifyExpiringKeys)).toEqual([])
    }
    pass(DAY_MS / 2)
    expect(await mailsOf(notifyExpiringKeys)).toEqual([
      expect.stringContaining('unless it is used before'),
    ])
    expect(await mailsOf(notifyExpiringKeys)).toEqual([])
    await use()
    expect(await mailsOf(notifyExpiringKeys)).toEqual([])
  })

  test('are read in batches, and each causes a mail', async () => {
    await sql(
      `insert into api_keys (user_id, name, prefix, secret_digest, created_at, expires_at)
       select ?, 'k', 'ak', uuid_send(gen_random_uuid()), ?, ? from generate_series(1, 501)`,
      t.ada.id,
      ago(30 * DAY_MS),
      ago(-DAY_MS),
    )
    const [first, second, ...more] = await mailsOf(notifyExpiringKeys)
    expect(first).toContain('500 API keys expire soon')
    expect(second).toContain('An API key expires soon')
    expect(more).toEqual([])
  })

  test('of one account are in one mail', async () => {
    await key('one', 30 * DAY_MS, DAY_MS)
    await key('two', 30 * DAY_MS, 2 * DAY_MS)
    const mails = await mailsOf(notifyExpiringKeys)
    expect(mails).toEqual([expect.stringMatching(/2 API keys expire soon .*“one”.*“two”/)])
  })

  test.each([
    ['has expired', `update api_keys set expires_at = now() - interval '1 hour' where user_id = ?`],
    ['is a former secret', 'update api_keys set replaced_by = id where user_id = ?'],
    [
      'belongs to an owner without such mails',
      'update users set notify_key_expiring = false where id = ?',
    ],
    ['is of a banned account', 'update users set enabled = false where id = ?'],
    ['has no plan for keys', `update users set account_type = 'free' where id = ?`],
    ['goes with its account', 'update users set deletion_due_at = now() where id = ?'],
    ['has no verified address', 'update users set email_verified_at = null where id = ?'],
  ])('no mail is sent about a key that %s', async (_, change) => {
    await key('pipeline', 30 * DAY_MS, 3 * DAY_MS)
    await sql(change, t.ada.id)
    expect(await mailsOf(notifyExpiringKeys)).toEqual([])
  })
})
