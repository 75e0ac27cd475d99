/** The one writer of account types, and what becomes of a plan that is written without it. */
import { GRANT_SOURCES } from '@homing/openapi/vocabulary'
import { describe, expect, test } from 'vitest'
import { useAdminWorld } from '../../test/support/admin-world.ts'
import { call } from '../../test/support/calls.ts'
import { query } from '../database/sql.ts'
import { accountTypeOf, type Grant } from '../rules/account-grants.ts'
import { changeGrants } from './account-grants.ts'
import { lockAccount } from './lock-order.ts'

const t = useAdminWorld('free')

const grantsOf = async (id: string) =>
  query<Pick<Grant, 'source' | 'plan'>>(
    t.world.knex,
    'select source, plan from plan_grants where user_id = ? order by source',
    [id],
  )
const typeOf = async (id: string) => {
  const [row] = await query<{ account_type: string }>(
    t.world.knex,
    'select account_type from users where id = ?',
    [id],
  )
  return row?.account_type
}
async function grant(change: Parameters<typeof changeGrants>[2]['change'], now = new Date()) {
  return t.world.knex.transaction(async (trx) => {
    await lockAccount(trx, t.ada.id)
    return changeGrants(trx, t.world.services, { userId: t.ada.id, change, now })
  })
}

describe('a grant', () => {
  test('gives the highest plan, and leaves the others when it goes', async () => {
    await grant({ grants: { payment: { plan: 'pro', until: null } } })
    expect(await grant({ grants: { complimentary: { plan: 'elite', until: null } } })).toEqual({
      before: 'pro',
      after: 'elite',
    })
    expect(await grant({ grants: { complimentary: null } })).toEqual({
      before: 'elite',
      after: 'pro',
    })
    expect(await typeOf(t.ada.id)).toBe('pro')
  })

  test('of a payment neither enables a disabled account nor demotes an administrator', async () => {
    for (const flag of [{ isDisabled: true }, { isAdministrator: true, isDisabled: false }]) {
      await grant(flag)
      const type = await typeOf(t.ada.id)
      await grant({ grants: { payment: { plan: 'elite', until: null } } })
      expect(await typeOf(t.ada.id)).toBe(type)
    }
    await grant({ isAdministrator: false })
    expect(await typeOf(t.ada.id)).toBe('elite')
  })

  test('ends at its time with the next change', async () => {
    const until = new Date('2026-05-01T00:00:00Z')
    await grant({ grants: { trial: { plan: 'pro', until } } }, new Date('2026-04-01T00:00:00Z'))
    expect(await typeOf(t.ada.id)).toBe('pro')
    await grant({}, until)
    expect(await typeOf(t.ada.id)).toBe('free')
  })
})

describe('an administrator', () => {
  const change = async (account_type: string) =>
    call(t.world.app, 'PUT', `/api/admin/users/${t.ada.id}`, {
      headers: t.admin.headers,
      body: { account_type },
    })

  test('gives and takes a complimentary plan; one that is paid for stays, and the preview says so', async () => {
    await grant({ grants: { payment: { plan: 'pro', until: null } } })
    expect((await change('elite')).json()).toMatchObject({ account_type: 'elite' })
    const by = await query(
      t.world.knex,
      `select granted_by from plan_grants where user_id = ? and source = 'complimentary'`,
      [t.ada.id],
    )
    expect(by).toEqual([{ granted_by: t.admin.id }])
    const preview = await t.get(`/api/admin/users/${t.ada.id}/plan-preview?plan=free`, t.admin)
    expect(preview.json()).toMatchObject({ from: 'elite', to: 'pro' })
    expect((await change('free')).json()).toMatchObject({ account_type: 'pro' })
    expect(await grantsOf(t.ada.id)).toEqual([{ source: 'payment', plan: 'pro' }])
  })
})

describe('a plan that is written without the writer', () => {
  test.each(['free', 'pro', 'elite', 'admin', 'disabled'])('%s lasts', async (type) => {
    for (const before of ['elite', 'disabled', 'admin', 'pro', 'free']) {
      for (const plan of [before, type])
        await query(t.world.knex, 'update users set account_type = ? where id = ?', [
          plan,
          t.ada.id,
        ])
      expect(await grant({})).toEqual({ before: type, after: type })
    }
  })

  test('is the same derivation as that of the rules', async () => {
    const plans = [undefined, 'pro', 'elite'] as const
    for (const flags of [0, 1, 2, 3])
      for (const payment of plans)
        for (const complimentary of plans)
          for (const trial of plans) {
            const bySource = { payment, complimentary, trial }
            const grants = GRANT_SOURCES.flatMap((source) => {
              const plan = bySource[source]
              return plan === undefined ? [] : [{ source, plan, until: null }]
            })
            const standing = { isAdministrator: flags > 1, isDisabled: flags % 2 > 0, grants }
            await query(t.world.knex, 'delete from plan_grants where user_id = ?', [t.ada.id])
            for (const { source, plan } of grants)
              await query(
                t.world.knex,
                'insert into plan_grants (user_id, source, plan) values (?, ?, ?)',
                [t.ada.id, source, plan],
              )
            const [row] = await query<{ type: string }>(
              t.world.knex,
              'select derived_account_type(?, ?, ?) as type',
              [t.ada.id, standing.isAdministrator, standing.isDisabled],
            )
            expect(row?.type).toBe(accountTypeOf(standing))
          }
  })
})
