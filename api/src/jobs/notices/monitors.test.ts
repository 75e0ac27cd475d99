/** Mails about monitors: each change of state is told once, and what did not last is not told. */
import type { MonitorNotification } from '@homing/openapi'
import { beforeEach, describe, expect, test } from 'vitest'
import { useAccountWorld } from '../../../test/support/account-world.ts'
import { KeepingMailer, runJobs } from '../../../test/support/mail.ts'
import {
  claimAll,
  letTimePass,
  makeMonitor,
  newRecorder,
  resultOf,
  type TestMonitor,
} from '../../../test/support/monitor-world.ts'
import { query } from '../../database/sql.ts'
import type { Mail } from '../../integrations/mails/mail.ts'
import { recordResults } from '../../monitoring/store/record-results.ts'
import { giveUpMonitorMails, sendMonitorNotices } from './monitors.ts'

const t = useAccountWorld()
const MINUTE = 60_000

beforeEach(async () => {
  await query(t.world.knex, 'delete from monitors')
})

const monitor = (settings: Parameters<typeof makeMonitor>[2] = {}) =>
  makeMonitor(t.world.knex, t.ada.id, { confirmations: 1, ...settings })

/** Checks these monitors a minute later. */
async function check(outcome: 'up' | 'down', ...monitors: readonly TestMonitor[]): Promise<void> {
  const { knex } = t.world
  for (const { id } of monitors) await letTimePass(knex, id, MINUTE)
  const recorder = newRecorder()
  const claimed = await claimAll(knex, recorder)
  const results = claimed.map(({ id }) => resultOf(id, outcome))
  expect(results).toHaveLength(monitors.length)
  await recordResults(knex, recorder, results)
}

/** Lets the waiting notifications be due, and sends what is to be sent. @returns the subjects */
async function send(): Promise<string[]> {
  t.mailer.sent.length = 0
  await query(
    t.world.knex,
    `update monitor_notifications set due_at = now() where outcome = 'waiting' and due_at < 'infinity'`,
  )
  return sendDue()
}

async function sendDue(): Promise<string[]> {
  t.mailer.sent.length = 0
  await sendMonitorNotices(t.world.services)
  await runJobs(t.world.services, t.mailer)
  return t.mailer.sent.map(({ subject }) => subject.replace(/^[^:]+: /, ''))
}

/** What the log of a domain says, the oldest first. */
async function logOf({ domainId }: TestMonitor): Promise<string[]> {
  const url = `/api/uptime/domain/${domainId}/notifications`
  const log = (await t.as(t.ada.headers, 'GET', url)).json<MonitorNotification[]>()
  return log.toReversed().map(({ message, outcome }) => `${message} ${outcome}`)
}

describe('one monitor', () => {
  test('down and up: a mail each, with the cause, the times and the way to the monitor', async () => {
    const home = await monitor()
    await check('up', home)
    await check('down', home)
    expect(await send()).toEqual([`${home.fqdn} is down`])
    const [down] = t.mailer.sent
    expect(down?.to).toBe(`${t.ada.username}@mail.test`)
    expect(down?.text.replaceAll(/\s+/g, ' ')).toMatch(
      new RegExp(
        `${home.fqdn} has been down since \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC\\. The server did not answer within 10 s\\.`,
      ),
    )
    expect(down?.text).toContain(`#domain/${home.fqdn}?tab=monitor`)
    await check('up', home)
    expect(await send()).toEqual([`${home.fqdn} is up again`])
    expect(t.mailer.sent[0]?.text.replaceAll(/\s+/g, ' ')).toContain('It was down for 1 minute.')
    expect(await send()).toEqual([])
    expect(await logOf(home)).toEqual(['down sent', 'up sent'])
  })

  test('no mail is sent before the notification is due', async () => {
    const home = await monitor()
    await check('up', home)
    await check('down', home)
    expect(await sendDue()).toEqual([])
    expect(await logOf(home)).toEqual(['down waiting'])
  })

  test('that flaps: what did not last is in the log, and not in a mail', async () => {
    const home = await monitor()
    await check('up', home)
    await check('down', home)
    await check('up', home)
    expect(await send()).toEqual([])
    await check('down', home)
    expect(await send()).toEqual([`${home.fqdn} is down`])
    await check('up', home)
    expect(await send()).toEqual([`${home.fqdn} is up again`])
    // Down again within the cool-down: told later, and only if it lasts.
    await check('down', home)
    expect(await send()).toEqual([])
    await query(
      t.world.knex,
      `update monitor_notifications set sent_at = sent_at - interval '11 minutes'`,
    )
    expect(await send()).toEqual([`${home.fqdn} is down`])
    expect(await logOf(home)).toEqual([
      'down skipped',
      'up skipped',
      'down sent',
      'up sent',
      'down sent',
    ])
  })

  test('of which its owner wants no mail causes none', async () => {
    const home = await monitor({ notifies_down: false, notifies_up: false })
    await check('up', home)
    await check('down', home)
    await check('up', home)
    expect(await send()).toEqual([])
    expect(await logOf(home)).toEqual([])
  })

  test('that was turned off meanwhile causes none', async () => {
    const home = await monitor()
    await check('up', home)
    await check('down', home)
    await t.as(t.ada.headers, 'POST', `/api/uptime/domain/${home.domainId}/monitor`, {
      enable: false,
    })
    expect(await send()).toEqual([])
    expect(await logOf(home)).toEqual(['down skipped'])
  })

  test('a certificate that expires is told once for each expiry', async () => {
    const home = await monitor()
    const soon = new Date(Date.now() + 5 * 86_400_000)
    const recorder = newRecorder()
    await claimAll(t.world.knex, recorder)
    const seen = { certificateExpiresAt: soon }
    await recordResults(t.world.knex, recorder, [resultOf(home.id, 'up', seen)])
    expect(await send()).toEqual([`The certificate of ${home.fqdn} expires soon`])
    await check('up', home)
    expect(await send()).toEqual([])
    expect(await logOf(home)).toEqual(['certificate sent'])
  })
})

describe('many monitors', () => {
  test('of one account that change at once are in one mail', async () => {
    const monitors = await Promise.all(Array.from({ length: 6 }, () => monitor()))
    await check('up', ...monitors)
    await check('down', ...monitors)
    expect(await send()).toEqual(['6 domains of yours are down'])
    for (const { fqdn } of monitors) expect(t.mailer.sent[0]?.text).toContain(fqdn)
    expect(await logOf(monitors[0] as TestMonitor)).toEqual(['down merged'])
    await check('up', ...monitors)
    expect(await send()).toEqual(['News about the monitors of 6 domains'])
  })

  test('five have mails of their own', async () => {
    const monitors = await Promise.all(Array.from({ length: 5 }, () => monitor()))
    await check('up', ...monitors)
    await check('down', ...monitors)
    expect((await send()).toSorted()).toEqual(
      monitors.map(({ fqdn }) => `${fqdn} is down`).toSorted(),
    )
  })
})

/** Sends a mail, and ends before anything is stored about it. */
class DyingMailer extends KeepingMailer {
  override async send(mail: Mail, id: string): Promise<void> {
    await super.send(mail, id)
    throw new Error('killed')
  }
}

describe('delivery', () => {
  test('a worker that is killed after sending: the mail is repeated with its Message-ID', async () => {
    const { services } = t.world
    const home = await monitor()
    await check('up', home)
    await check('down', home)
    await query(t.world.knex, 'update monitor_notifications set due_at = now()')
    await sendMonitorNotices(services)
    const dying = new DyingMailer()
    await expect(runJobs(services, dying)).rejects.toThrow('killed')
    expect(await sendMonitorNotices(services)).toBe(0)
    expect(await logOf(home)).toEqual(['down waiting'])
    await runJobs(services, t.mailer)
    expect(t.mailer.sent.map(({ id }) => id)).toEqual(dying.sent.map(({ id }) => id))
    expect(await logOf(home)).toEqual(['down sent'])
    expect(await send()).toEqual([])
  })

  test('several workers at once send one mail', async () => {
    const { services } = t.world
    const home = await monitor()
    await check('up', home)
    await check('down', home)
    await query(t.world.knex, 'update monitor_notifications set due_at = now()')
    const counts = await Promise.all(Array.from({ length: 4 }, () => sendMonitorNotices(services)))
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1)
  })

  test('an account without a verified address: it has failed', async () => {
    const home = await monitor()
    await check('up', home)
    await check('down', home)
    await query(t.world.knex, 'update users set email_verified_at = null where id = ?', [t.ada.id])
    expect(await send()).toEqual([])
    await query(t.world.knex, 'update users set email_verified_at = now() where id = ?', [t.ada.id])
    expect(await logOf(home)).toEqual(['down failed'])
  })

  test('a mail that no server took for days has failed', async () => {
    const home = await monitor()
    await check('up', home)
    await check('down', home)
    await query(t.world.knex, 'update monitor_notifications set due_at = now()')
    await sendMonitorNotices(t.world.services)
    await giveUpMonitorMails(t.world.services)
    expect(await logOf(home)).toEqual(['down waiting'])
    await query(
      t.world.knex,
      `update monitor_notifications set created_at = now() - interval '4 days'`,
    )
    await giveUpMonitorMails(t.world.services)
    expect(await logOf(home)).toEqual(['down failed'])
  })

  test('a deleted domain is not mentioned', async () => {
    const home = await monitor()
    await check('up', home)
    await check('down', home)
    await query(t.world.knex, 'update monitor_notifications set due_at = now()')
    await sendMonitorNotices(t.world.services)
    await t.as(t.ada.headers, 'DELETE', `/api/domains/${home.domainId}`)
    await runJobs(t.world.services, t.mailer)
    expect(t.mailer.sent).toEqual([])
  })
})

describe('POST …/test-notification', () => {
  const ask = (home: TestMonitor) =>
    t.as(t.ada.headers, 'POST', `/api/uptime/domain/${home.domainId}/test-notification`)

  test('sends a mail', async () => {
    const home = await monitor()
    expect((await ask(home)).status).toBe(202)
    expect(await sendDue()).toEqual([`Test notification for ${home.fqdn}`])
    expect(await logOf(home)).toEqual(['test sent'])
  })
})
