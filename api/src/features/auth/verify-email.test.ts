/** What becomes of links that verify an address beside what else happens to accounts. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiWorld, openApiWorld } from '../../../test/support/api-world.ts'
import { call } from '../../../test/support/calls.ts'
import { untilSomebodyWaits } from '../../../test/support/lock-waits.ts'
import { KeepingMailer, linkTokenOf, runJobs } from '../../../test/support/mail.ts'
import { dropLinks } from '../../credentials/mail-link.ts'
import { query } from '../../sql.ts'

const mailer = new KeepingMailer()
let world: ApiWorld

beforeAll(async () => {
  world = await openApiWorld()
})
afterAll(() => world.end())

test('while another link is made, it waits for the account before it takes the link', async () => {
  const body = { username: 'ada', email: 'ada@example.net', password: 'correct horse' }
  await call(world.app, 'POST', '/api/register', { body })
  await runJobs(world.services, mailer)
  const token = linkTokenOf(mailer.sent.at(-1))

  // What a job does that mails another link: the account first, then its links.
  const other = await world.feed.connectAgain().transaction()
  const [account] = await query<{ id: string }>(
    other,
    `select id from users where username = 'ada' for no key update`,
  )
  const verifying = call(world.app, 'POST', '/api/verify-email', { body: { token } })
  await untilSomebodyWaits(world.knex)
  await dropLinks(other, account?.id ?? '', 'verify_email')
  await other.commit()
  expect((await verifying).status).toBe(400)
})

test('an address gets five links in an hour, however many accounts are opened with it', async () => {
  const limited = await openApiWorld({ rateLimits: true })
  try {
    mailer.sent.length = 0
    for (let n = 0; n < 7; n += 1) {
      const body = { username: `eve${n}`, email: 'ada@example.net', password: 'correct horse' }
      const ip = `198.51.${n}.1`
      const reply = await call(limited.app, 'POST', '/api/register', { body, ip })
      expect(reply.status).toBe(201)
    }
    await runJobs(limited.services, mailer)
    expect(mailer.sent).toHaveLength(5)
  } finally {
    await limited.end()
  }
})
