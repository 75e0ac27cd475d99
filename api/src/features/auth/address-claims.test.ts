/** Accounts that register with the same address: the first to verify it keeps it. */
import { describe, expect, test } from 'vitest'
import { problemOf } from '../../../test/support/calls.ts'
import { countsOf, useRegistrationWorld } from '../../../test/support/registration-world.ts'
import { query } from '../../database/sql.ts'
import { expire } from '../../jobs/expire.ts'

const DAY_MS = 86_400_000
const t = useRegistrationWorld()

test('of two accounts with one address, the first to verify it keeps it', async () => {
  const email = `${t.name}@example.net`
  const first = await t.registeredToken({ email })
  const second = await t.registeredToken({ email, username: `${t.name}-2` })
  expect((await t.verify(second)).status).toBe(200)
  expect(problemOf(await t.verify(first)).code).toBe('link-invalid')
})

describe('accounts that claim an address of another account', () => {
  const linksOf = (username: string) =>
    query(
      t.world.knex,
      'select 1 from mail_links l join users u on u.id = l.user_id where u.username = ?',
      [username],
    )

  test('have no link from then on, even when the other account is deleted', async () => {
    const email = `${t.name}@example.net`
    const rival = `${t.name}-rival`
    const { token: theirs, cookie } = await t.registeredByBrowser({
      username: rival,
      email: email.toUpperCase(),
    })
    await t.verify(await t.registeredToken({ email }))
    expect(await linksOf(rival)).toEqual([])
    await query(t.world.knex, 'delete from users where username = ?', [t.name])
    expect(problemOf(await t.follow(theirs, { cookie })).code).toBe('link-invalid')
    expect(problemOf(await t.verify(theirs)).code).toBe('link-invalid')
    expect(await t.isVerified(rival)).toBe(false)
  })

  test('get the same responses as before for seven days', async () => {
    const email = `${t.name}@example.net`
    const own = await t.registeredToken({ email })
    const [rival, password] = [`${t.name}-rival`, 'of the rival']
    await t.registeredByBrowser({ username: rival, email, password })
    const answers = async () => {
      const replies = [
        await t.login({ username_or_email: rival, password }),
        await t.login({ username_or_email: email, password }),
        await t.register({ username: rival, email: 'other@example.net' }),
        await t.resend(email),
      ]
      return replies.map((reply) => ({ ...reply.json<object>(), requestId: '' }))
    }
    const before = await answers()
    await t.verify(own)
    expect(await answers()).toEqual(before)
    await t.runJobs()
    const day = (days: number) => new Date(t.clock.getTime() + days * DAY_MS)
    const isThere = async () =>
      (await query(t.world.knex, 'select 1 from users where username = ?', [rival])).length > 0
    await expire(t.world.knex, day(6.9))
    expect(await isThere()).toBe(true)
    // A failed sign-in is recorded after its response and locks the account meanwhile; a locked row waits for the
    // next run.
    const isThereAfterExpiry = async () => {
      await expire(t.world.knex, day(7.1))
      return isThere()
    }
    await expect.poll(isThereAfterExpiry).toBe(false)
  })

  test('of two concurrent verifications of one address, one succeeds', async () => {
    const email = `${t.name}@example.net`
    const first = await t.registeredToken({ email })
    const second = await t.registeredToken({ email, username: `${t.name}-rival` })
    const replies = await Promise.all([t.verify(first), t.verify(second)])
    expect(countsOf(replies)).toEqual({ 200: 1, 400: 1 })
  })
})
