/** The networks that an account knows, and when it forgets them. */
import { expect, test } from 'vitest'
import { PASSWORD } from '../../test/support/api-world.ts'
import { bearer, call, type Reply } from '../../test/support/calls.ts'
import { untilSomebodyWaits } from '../../test/support/lock-waits.ts'
import { KeepingMailer, linkTokenOf, runJobs } from '../../test/support/mail.ts'
import { usePasswordWorld } from '../../test/support/password-world.ts'
import { networkOf } from '../rules/networks.ts'
import { query } from '../database/sql.ts'
import { rememberNetwork } from './known-networks.ts'
import { beginSession } from './session.ts'

const NEXT = 'another good password'
const t = usePasswordWorld()

const knownNetworks = async () =>
  (
    await query<{ network: string }>(
      t.world.knex,
      'select network from known_networks where user_id = ? order by network',
      [t.id],
    )
  ).map(({ network }) => network)

async function signedIn(userId = t.id) {
  const session = { userId, ip: '192.0.2.1', userAgent: null }
  const begin = await t.world.knex.transaction((trx) =>
    beginSession(t.world.services, trx, session),
  )
  return bearer(begin.token)
}

const asOwner = async (
  method: 'POST' | 'DELETE',
  url: string,
  { ip, body }: { readonly ip: string; readonly body?: object },
) => call(t.world.app, method, url, { headers: await signedIn(), body, ip })

async function resetPassword(ip: string): Promise<Reply> {
  const mailer = new KeepingMailer()
  await call(t.world.app, 'POST', '/api/forgot-password', {
    body: { email: `${t.name}@mail.test` },
    ip,
  })
  await runJobs(t.world.services, mailer)
  const body = { token: linkTokenOf(mailer.sent.at(-1)), new_password: NEXT }
  return call(t.world.app, 'POST', '/api/reset-password', { body, ip })
}

/** The ways in which the owner, at an address, ends credentials. */
const ENDINGS: Readonly<Record<string, (ip: string) => Promise<Reply>>> = {
  'another password': (ip) =>
    asOwner('POST', '/api/change-password', {
      ip,
      body: { current_password: PASSWORD, new_password: NEXT },
    }),
  'a password reset': resetPassword,
  'signing out everywhere': (ip) => asOwner('DELETE', '/api/me/sessions', { ip }),
  'deleting the account': (ip) =>
    asOwner('POST', '/api/delete-account', { ip, body: { password: PASSWORD } }),
}

test.each(Object.entries(ENDINGS))(
  'after %s a former holder of the password cannot use up the attempts of the owner’s network',
  async (_what, end) => {
    const [home, office, thief] = [t.newNetwork(), t.newNetwork(), t.newNetwork()]
    for (const ip of [home, office, thief]) await t.attempt(PASSWORD, ip)
    expect(await knownNetworks()).toHaveLength(3)
    expect((await end(home)).status).toBeLessThan(300)
    expect(await knownNetworks()).toEqual([networkOf(home)])

    await t.setPassword(t.id, NEXT)
    // Strangers use up the attempts of the name, and the thief uses the two of known networks.
    for (let n = 0; n < 4; n += 1) await t.guess(2, t.newNetwork())
    expect(await t.guess(4, thief)).toBe(0)
    expect(await t.attempt(NEXT, home)).toMatchObject({ kind: 'account', userId: t.id })
  },
)

test('an administrator who ends all sessions of an account makes it forget its networks', async () => {
  await t.attempt(PASSWORD, t.newNetwork())
  const admin = await t.world.person(`admin${t.people}`, 'admin')
  const { status } = await call(t.world.app, 'DELETE', `/api/admin/users/${t.id}/sessions`, {
    headers: await signedIn(admin.id),
  })
  expect(status).toBe(204)
  expect(await knownNetworks()).toEqual([])
})

test('an unknown network does not become known by ending credentials', async () => {
  await t.attempt(PASSWORD, t.newNetwork())
  await resetPassword(t.newNetwork())
  expect(await knownNetworks()).toEqual([])
})

test('a password that is replaced during its evaluation makes no network known', async () => {
  const { knex, feed, services } = t.world
  const [account] = await query<{ version: number }>(
    knex,
    'select credential_version as version from users where id = ?',
    [t.id],
  )
  const changing = await feed.connectAgain().transaction()
  await query(
    changing,
    'update users set credential_version = credential_version + 1 where id = ?',
    [t.id],
  )
  const right = { userId: t.id, credentialVersion: account?.version ?? 0 }
  const remembering = rememberNetwork(services, right, t.newNetwork())
  await untilSomebodyWaits(knex)
  await changing.commit()
  await remembering
  expect(await knownNetworks()).toEqual([])
})
