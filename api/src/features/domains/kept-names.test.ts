/** Deleted names are reserved for their former owner, up to a limit. */
import { expect, test } from 'vitest'
import type { Caller } from '../../../test/support/api-world.ts'
import { useDomainWorld } from '../../../test/support/domain-world.ts'
import { query } from '../../database/sql.ts'

const t = useDomainWorld()

async function registerAndDelete(caller: Caller, fqdn: string): Promise<void> {
  const { id } = await t.made(caller, { fqdn })
  expect((await t.call(caller, 'DELETE', `/api/domains/${id}`)).status).toBe(204)
}

const onPlan = (plan: string, { id }: Caller) =>
  query(t.world.knex, 'update users set account_type = ? where id = ?', [plan, id])

/** The reserved names of an account, those deleted first at the front. */
const kept = async ({ id }: Caller) => {
  const sql = 'select fqdn from name_reservations where user_id = ? order by reserved_until'
  return (await query<{ fqdn: string }>(t.world.knex, sql, [id])).map(({ fqdn }) => fqdn)
}

/** Inserts this many names that the account deleted a while ago. */
async function giveBack(caller: Caller, count: number): Promise<void> {
  await query(
    t.world.knex,
    `insert into name_reservations (fqdn, user_id, reserved_until)
     select ? || 'x' || n || '.homing.test', ?, now() + interval '20 days' + n * interval '1 second'
     from generate_series(1, ?) n`,
    [`${caller.username}-former`, caller.id, count],
  )
}

test('registering and deleting in turn reserves the last 25 names of a small plan, and frees the others', async () => {
  await onPlan('free', t.ada)
  await giveBack(t.ada, 25)
  const [first = '', second = '', third = '', ...others] = await kept(t.ada)
  const newest = [`${t.fresh('one')}.homing.test`, `${t.fresh('two')}.homing.test`]
  for (const fqdn of newest) await registerAndDelete(t.ada, fqdn)
  expect(await kept(t.ada)).toEqual([third, ...others, ...newest])
  for (const fqdn of [first, second]) await t.made(t.bob, { fqdn })
  for (const fqdn of [third, ...newest]) {
    const refused = await t.refused(t.bob, 'POST', '/api/domains', { fqdn })
    expect(refused).toMatchObject({ code: 'name-reserved' })
  }
})

test('a larger plan reserves as many as it allows names, and those of other accounts are unaffected', async () => {
  await onPlan('pro', t.ada)
  await giveBack(t.ada, 100)
  await giveBack(t.bob, 130)
  const newest = `${t.fresh('newest')}.homing.test`
  await registerAndDelete(t.ada, newest)
  expect(await kept(t.ada)).toHaveLength(100)
  expect((await kept(t.ada)).at(-1)).toBe(newest)
  expect(await kept(t.bob)).toHaveLength(130)
})
