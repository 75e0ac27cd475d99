/** A password that is sent repeatedly, wrong or right: its cost, and who benefits. */
import { describe, expect, test } from 'vitest'
import { PASSWORD } from '../../test/support/api-world.ts'
import { usePasswordWorld } from '../../test/support/password-world.ts'
import { query } from '../database/sql.ts'
import { authenticatePassword } from './password.ts'

const t = usePasswordWorld()

describe('a machine that repeats a wrong password', () => {
  test('gets the same refusal each time, with one evaluation', async () => {
    const ip = t.newNetwork()
    for (let n = 0; n < 60; n += 1) expect((await t.byMachine('old', ip)).kind).toBe('wrong')
    expect(t.evaluated).toBe(1)
    for (let n = 0; n < 60; n += 1) await t.byMachine('old', t.newNetwork())
    expect(t.evaluated).toBe(1)
  })

  test('succeeds at once when its owner has corrected the password', async () => {
    const ip = t.newNetwork()
    for (let n = 0; n < 60; n += 1) await t.byMachine('old', ip)
    expect(await t.byMachine(PASSWORD, ip)).toMatchObject({ kind: 'account', userId: t.id })
  })

  test('succeeds when its owner has set that password', async () => {
    const ip = t.newNetwork()
    for (let n = 0; n < 10; n += 1) await t.byMachine('the new one', ip)
    await query(
      t.world.knex,
      `update users set password_hash = 'hash of the new one', credential_version = credential_version + 1 where id = ?`,
      [t.id],
    )
    expect(await t.byMachine('the new one', ip)).toMatchObject({ kind: 'account', userId: t.id })
  })

  test('costs the same for an account that does not exist, until it does', async () => {
    const ip = t.newNetwork()
    const nobody = `later-${t.people}`
    for (let n = 0; n < 10; n += 1) await t.byMachine(PASSWORD, ip, nobody)
    expect(t.evaluated).toBe(1)
    const { id: later } = await t.world.person(nobody)
    await t.setPassword(later, PASSWORD)
    expect(await t.byMachine(PASSWORD, ip, nobody)).toMatchObject({
      kind: 'account',
      userId: later,
    })
  })

  test('cannot try other passwords beyond the limit, and gets the same refusal as before', async () => {
    const ip = t.newNetwork()
    for (let n = 0; n < 40; n += 1) await t.byMachine(`guess ${n}`, ip)
    expect(t.evaluated).toBe(6)
    expect((await t.byMachine('guess 39', ip)).kind).toBe('throttled')
    expect((await t.byMachine('guess 0', ip)).kind).toBe('wrong')
    expect(t.evaluated).toBe(6)
  })

  test('a person who does so must wait', async () => {
    const ip = t.newNetwork()
    const kinds: string[] = []
    for (let n = 0; n < 8; n += 1) kinds.push((await t.attempt('old', ip)).kind)
    expect(kinds).toEqual([...Array.from({ length: 6 }, () => 'wrong'), 'throttled', 'throttled'])
  })
})

describe('a right password', () => {
  test('of a machine is evaluated once in a while, for any number of calls', async () => {
    const claim = { username: t.name, password: PASSWORD, ip: t.newNetwork() }
    for (let n = 0; n < 30; n += 1) {
      await authenticatePassword(t.world.services, claim, { isMachine: true })
    }
    const upper = { ...claim, username: t.name.toUpperCase() }
    await authenticatePassword(t.world.services, upper, { isMachine: true })
    expect(t.evaluated).toBe(1)
  })

  test('of a machine does not help an attacker elsewhere, or as a person', async () => {
    const home = t.newNetwork()
    await t.byMachine(PASSWORD, home)
    const elsewhere = t.newNetwork()
    for (let n = 0; n < 20; n += 1) await t.byMachine(`guess ${n}`, elsewhere)
    expect((await t.byMachine(PASSWORD, elsewhere)).kind).toBe('throttled')
    expect((await t.attempt(PASSWORD, elsewhere)).kind).toBe('throttled')
    for (let n = 0; n < 6; n += 1) await t.attempt(`another ${n}`, home)
    expect((await t.attempt(PASSWORD, home)).kind).toBe('throttled')
    // The router of the same household continues to work.
    expect((await t.byMachine(PASSWORD, home)).kind).toBe('account')
  })

  test('that is sent many times at once is evaluated once', async () => {
    const ip = t.newNetwork()
    const verdicts = await Promise.all(Array.from({ length: 50 }, () => t.attempt(PASSWORD, ip)))
    expect(new Set(verdicts.map(({ kind }) => kind))).toEqual(new Set(['account']))
    expect(t.evaluated).toBe(1)
  })

  test('uses up no attempt', async () => {
    const ip = t.newNetwork()
    for (let n = 0; n < 20; n += 1) {
      await authenticatePassword(
        t.world.services,
        { username: t.name, password: PASSWORD, ip },
        { afresh: true },
      )
    }
    expect(t.evaluated).toBe(20)
  })

  test('has the version of the credentials for which it was right', async () => {
    const claim = { username: t.name, password: PASSWORD, ip: t.newNetwork() }
    const isMachine = true
    const first = await authenticatePassword(t.world.services, claim, { isMachine })
    await query(
      t.world.knex,
      `update users set credential_version = credential_version + 1, password_hash = '' where id = ?`,
      [t.id],
    )
    expect(await authenticatePassword(t.world.services, claim, { isMachine })).toEqual(first)
    const afresh = { isMachine, afresh: true }
    const wrong = { kind: 'wrong', userId: t.id }
    expect(await authenticatePassword(t.world.services, claim, afresh)).toEqual(wrong)
    expect(await authenticatePassword(t.world.services, claim, { isMachine })).toEqual({
      kind: 'wrong',
    })
  })
})
