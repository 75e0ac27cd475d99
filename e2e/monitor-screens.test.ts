/// <reference lib="dom" />
/** The monitors in Chromium on the real service: a target stops and comes back, maintenance, settings and mails. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePorts } from '../test/free-ports.ts'
import { needs } from '../test/outside-tool.ts'
import { type Account, registerAccount } from './support/accounts.ts'
import {
  button,
  dialog,
  hashOf,
  rowOf,
  untilDialogLeft,
  useSharedDashboard,
} from './support/dashboard.ts'
import { makePro } from './support/forwards.ts'
import { lookFindings } from './support/look.ts'
import { messagesTo } from './support/mailbox.ts'
import { eventually } from './support/stack.ts'

const NAME = 'nas.of-mona.homing.test'
const BLOG = 'blog.of-mona.homing.test'
/** Of this machine, and of no other server on it. */
const ADDRESS = '127.83.7.11'
const USER = 'mona-monitors'
/** A check a second, two of them until it is down. A busy machine is slow. */
const WAIT = { timeout: 60_000 }

describe('the screens of monitors', needs('chromium'), () => {
  const world = useSharedDashboard()
  let mona: Account
  let port: number
  let server: Server | undefined

  async function startTarget(): Promise<void> {
    server = createServer((_, response) => {
      response.setHeader('connection', 'close')
      response.end('ok')
    })
    server.listen(port, ADDRESS)
    await once(server, 'listening')
  }
  async function stopTarget(): Promise<void> {
    const stopped = server
    server = undefined
    if (stopped === undefined) return
    stopped.closeAllConnections()
    stopped.close()
    await once(stopped, 'close')
  }
  const add = (fqdn: string) =>
    mona.api.POST('/api/domains', {
      body: { fqdn, zone: 'homing.test', rrtype: 'A', record_ip: ADDRESS },
    })

  beforeAll(async () => {
    const { stack } = world()
    ;[mona, [port = 0]] = await Promise.all([registerAccount(stack, USER), freePorts(1)])
    await makePro(stack, mona)
    await Promise.all([startTarget(), add(NAME), add(BLOG)])
  })
  afterAll(stopTarget)

  const cell = (page: Page, text: string | RegExp) =>
    rowOf(page, NAME).getByRole('cell').filter({ hasText: text }).last()
  const turn = (page: Page, fqdn: string) => page.getByRole('switch', { name: `Monitor ${fqdn}` })
  const openTab = async (page: Page, fqdn: string) => {
    await page.goto(`/#domain/${fqdn}?tab=monitor`)
    await page.getByRole('heading', { name: 'Monitor', exact: true }).waitFor()
  }
  /** Waits for a mail whose subject ends like this. */
  const mailed = (ending: string) =>
    eventually(
      () => messagesTo(world().stack.dataDir, `${USER}@mail.example`),
      (mails) => mails.some(({ subject = '' }) => subject.endsWith(ending)),
    )

  test('a target that stops and comes back, in the row, the card, the tab and the mailbox', async () => {
    const watched = await world().openFor(mona)
    const { page } = watched
    await page.getByRole('link', { name: /^Uptime No monitors yet/ }).waitFor()

    // What to check is chosen before the monitor is turned on.
    await openTab(page, NAME)
    await button(page, 'Monitor Settings').click()
    await dialog(page)
      .getByRole('radio', { name: /^HTTP\b/ })
      .check()
    await dialog(page).getByLabel('Port', { exact: true }).fill(String(port))
    await button(page, 'Save Settings').click()
    await page.getByText('The settings of the monitor were saved.').waitFor()
    await untilDialogLeft(page)
    await page.goto('/#dashboard')
    await turn(page, NAME).click()
    await expect.poll(() => turn(page, NAME).getAttribute('aria-checked')).toBe('true')
    await cell(page, `Uphttp ${port}`).waitFor(WAIT)
    await page.getByRole('link', { name: /^Uptime 100\.00% 24 h, 1 monitor$/ }).waitFor(WAIT)

    await stopTarget()
    await cell(page, `Downhttp ${port}`).waitFor(WAIT)
    const alarm = page.getByRole('link', { name: /^Uptime .* 1 domain down$/ })
    await alarm.waitFor(WAIT)
    await alarm.click()
    expect(hashOf(page)).toBe('#dashboard?q=monitor%3Adown')
    await rowOf(page, NAME).waitFor()
    await rowOf(page, BLOG).waitFor({ state: 'detached' })
    await mailed(`${NAME} is down`)

    await rowOf(page, NAME)
      .getByRole('link', { name: `http ${port}` })
      .click()
    await page.getByText(/^Down since /).waitFor()
    const incidents = page.getByRole('region', { name: 'Incidents' })
    await incidents.getByText(/^Down for .* so far$/).waitFor()
    await page
      .getByRole('region', { name: 'Mails' })
      .getByText('Down', { exact: true })
      .waitFor(WAIT)

    await startTarget()
    await page.getByText(/^Up since /).waitFor(WAIT)
    await incidents.getByText(/^Down for (?!.* so far)/).waitFor(WAIT)
    await mailed(`${NAME} is up again`)
    await watched.close()
  })

  test('maintenance begins and ends, and nothing answers until the owner chooses', async () => {
    const watched = await world().openFor(mona)
    const { page } = watched
    await openTab(page, NAME)
    await button(page, 'Add Maintenance').click()
    const now = new Date().toISOString().slice(0, 16)
    await dialog(page).getByLabel('Begins').fill(now)
    await dialog(page)
      .getByText(`${now.replace('T', ' ')} UTC`)
      .waitFor()
    await dialog(page).getByRole('button', { name: 'Add Maintenance' }).click()
    await page.getByText(/^In maintenance since /).waitFor(WAIT)
    await button(page, /^Delete the maintenance of /).click()
    await dialog(page).getByRole('button', { name: 'Delete' }).click()
    await page.getByText(/^Up since /).waitFor(WAIT)

    await openTab(page, BLOG)
    await turn(page, BLOG).click()
    await button(page, 'Choose What to Check').click(WAIT)
    await dialog(page)
      .getByRole('radio', { name: /^Heartbeat/ })
      .check()
    await button(page, 'Save Settings').click()
    await button(page, 'Create Heartbeat URL').click()
    const url = await page
      .getByText(/^https?:.*\/api\/uptime\/heartbeat\//)
      .first()
      .textContent()
    const { pathname } = new URL(url ?? '')
    expect(await (await fetch(new URL(pathname, world().stack.url))).text()).toBe('ok\n')
    await button(page, "I've saved this URL").click()
    await page.getByText(/^Up since /).waitFor(WAIT)
    await watched.close()
  })

  test('axe finds nothing and nothing is cut off, at any width and in both schemes', async () => {
    const watched = await world().openFor(mona)
    const { page } = watched
    const findings: string[] = []
    const look = async (where: string) => {
      findings.push(...(await lookFindings(page, `monitor-${where}`)))
    }
    await turn(page, NAME).waitFor()
    await look('list')
    await openTab(page, NAME)
    // The picture of 90 days can come first.
    const day = page.locator('.uptime-history', { hasText: '24 hours' })
    await day.getByText('As table').click()
    await page.getByRole('region', { name: '24 hours as a table' }).waitFor()
    await look('tab')
    await button(page, 'Monitor Settings').click()
    await dialog(page).getByLabel('Path').waitFor()
    await look('settings')
    await button(page, 'Cancel').click()
    await button(page, 'Add Maintenance').click()
    await dialog(page).getByLabel('Begins').waitFor()
    await look('maintenance')
    expect(findings).toEqual([])
    await watched.close()
  })
})
