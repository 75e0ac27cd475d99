/** When an administrator changes an account's address, the owner is notified at the old one. */
import { beforeEach, expect, test } from 'vitest'
import { call, problemOf } from '../../../test/support/calls.ts'
import { KeepingMailer, linkTokenOf, runJobs } from '../../../test/support/mail.ts'
import { useAdminWorld } from '../../../test/support/admin-world.ts'
import { query } from '../../database/sql.ts'

const t = useAdminWorld('pro')
const mailer = new KeepingMailer()
beforeEach(async () => {
  mailer.sent.length = 0
  await query(t.world.knex, 'delete from pgboss.job')
})

/** The mails after a change by an administrator. */
async function toldAfter(change: object) {
  const reply = await call(t.world.app, 'PUT', `/api/admin/users/${t.ada.id}`, {
    headers: t.admin.headers,
    body: change,
  })
  expect(reply.status).toBe(200)
  await runJobs(t.world.services, mailer)
  return mailer.sent.map(({ to, subject }) => ({ to, subject }))
}

test('the old address is notified of the new one', async () => {
  const told = await toldAfter({ email: `moved${t.people}@example.net` })
  const subject = 'Homing: Your email address was changed'
  expect(told).toEqual([{ to: `${t.ada.username}@mail.test`, subject }])
  expect(mailer.sent[0]?.text).toContain(`moved${t.people}@example.net`)
})

test('links that would verify the new address for other accounts stop working', async () => {
  const email = `moved${t.people}@example.net`
  const body = { username: `rival${t.people}`, email, password: 'correct horse' }
  await call(t.world.app, 'POST', '/api/register', { body })
  await runJobs(t.world.services, mailer)
  const token = linkTokenOf(mailer.sent.at(-1))
  await toldAfter({ email })
  await query(t.world.knex, 'delete from users where id = ?', [t.ada.id])
  const reply = await call(t.world.app, 'POST', '/api/verify-email', { body: { token } })
  expect(problemOf(reply).code).toBe('link-invalid')
})

test('an address that stays, or that was never verified, is not notified', async () => {
  expect(await toldAfter({ given_name: 'Ada' })).toEqual([])
  expect(await toldAfter({ email: `${t.ada.username.toUpperCase()}@mail.test` })).toEqual([])
  await query(t.world.knex, 'update users set email_verified_at = null where id = ?', [t.ada.id])
  expect(await toldAfter({ email: `other${t.people}@example.net` })).toEqual([])
})
