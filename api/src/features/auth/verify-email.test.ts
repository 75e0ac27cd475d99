/** A link that is opened while something else happens to its account. */
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
