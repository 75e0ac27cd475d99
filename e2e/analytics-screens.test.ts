/// <reference lib="dom" />
/** DNS analytics in Chromium on the real service: a month of queries, live queries of two DNS daemons, and an export. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePorts } from '../test/free-ports.ts'
import { needs } from '../test/outside-tool.ts'
import { type Account, addNames, registerAccount, signInAdministrator } from './support/accounts.ts'
import { findingsInBothSchemes } from './support/axe.ts'
import { PHONE } from './support/browser.ts'
import { button, dialog, hashOf, picture, rowOf, useSharedDashboard } from './support/dashboard.ts'
import { ask } from './support/dns.ts'
import { layoutFindings } from './support/layout.ts'
import { lookFindings } from './support/look.ts'
import { storeHistory } from './support/query-history.ts'
import { type Replica, startReplica } from './support/replica.ts'
import { eventually } from './support/stack.ts'
import { embeddedUrl } from './support/tables.ts'

const HOME = 'home.of-lena.homing.test'
const NAS = 'nas.of-lena.homing.test'
const LONG = 'a-domain-with-a-rather-long-name-for-narrow-windows.of-lena.homing.test'
const PER_HOUR = { [HOME]: 1_850, [NAS]: 240, [LONG]: 37 }

describe('the screens of DNS analytics', needs('chromium', 'dig'), () => {
  const world = useSharedDashboard()
  let replica: Replica
  let lena: Account
  let fred: Account

  beforeAll(async () => {
    const { stack } = world()
    ;[lena, fred] = await Promise.all([
      registerAccount(stack, 'lena'),
      registerAccount(stack, 'fred'),
    ])
    const [dns = 0, metrics = 0] = await freePorts(2)
    replica = startReplica(stack, { dns, metrics })
    await addNames(lena, Object.keys(PER_HOUR))
    await Promise.all([becomes('elite', lena), storeHistory(embeddedUrl(stack.dataDir), PER_HOUR)])
  })
  afterAll(() => replica?.stop())

  async function becomes(plan: 'pro' | 'elite', account: Account): Promise<void> {
    const boss = await signInAdministrator(world().stack)
    const { data: me } = await account.api.GET('/api/me')
    await boss.api.PUT('/api/admin/users/{id}', {
      params: { path: { id: me?.id ?? '' } },
      body: { account_type: plan },
    })
  }

  const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
  const open = async (page: Page, hash: string) => {
    await page.goto(`/${hash}`)
    await page.getByRole('heading', { level: 1, name: 'DNS Analytics' }).waitFor()
  }
  const shownSeries = (page: Page) => card(page, 'Networks').getByRole('link').first().waitFor()

  /** What axe finds and what is cut off on a phone, in both schemes. */
  async function findingsOnPhone(page: Page, where: string): Promise<string[]> {
    const cut: string[] = []
    const found = await findingsInBothSchemes(page, [PHONE], async (scheme, { width }) => {
      await picture(page, `analytics-${where}-${scheme}-${width}`)
      cut.push(...(await layoutFindings(page)))
    })
    return [...found, ...cut]
  }

  /** Sends queries from an address of loopback. */
  async function dig(port: number, address: string, words: readonly string[]): Promise<void> {
    const server = address.includes(':') ? '@::1' : '@127.0.0.1'
    await promisify(execFile)('dig', [server, '-p', String(port), '-b', address, ...words])
  }

  test('the card, the panel and the page have the same figures', async () => {
    const watched = await world().openFor(lena)
    const { page } = watched
    const { data } = await lena.api.GET('/api/dns-stats/summary')
    const shown = card(page, 'DNS Analytics')
    await shown.getByText('Alpine Telecom AG (AS64496)').waitFor()
    const figure = page.getByRole('link', { name: /^DNS Queries / })
    for (const period of ['24h', '7d', '30d'] as const) {
      await page.getByLabel('Period of DNS Queries').selectOption(period)
      const total = data?.[`total_queries_${period}`].toLocaleString('en')
      await figure.getByTitle(total ?? '').waitFor()
    }
    expect(hashOf(page)).toBe('#dashboard?queries=30d')

    await shown.getByRole('link', { name: HOME }).click()
    await page.getByRole('button', { name: `Remove the filter Domain: ${HOME}` }).waitFor()
    const ofHome = data?.queries_by_domain.find(({ fqdn }) => fqdn === HOME)?.queries ?? 0
    await card(page, 'Queries over 30 days')
      .getByText(`${ofHome.toLocaleString('en')} queries.`)
      .waitFor()
    await watched.close()
  })

  test('a bar filters the chart, and the export has what the page shows', async () => {
    const watched = await world().openFor(lena)
    const { page } = watched
    await open(page, '#analytics')
    await card(page, 'Countries')
      .getByRole('link', { name: /Austria/ })
      .click()
    await button(page, 'Remove the filter Countries: Austria').waitFor()
    const chart = card(page, 'Queries over 7 days')
    await chart.getByText(/^Address changes \(\d+\)$/).waitFor()
    await button(page, 'Export Data').click()
    await dialog(page).getByLabel('Period').selectOption('30 days')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog(page).getByRole('button', { name: 'Export' }).click(),
    ])
    const [head, ...rows] = readFileSync(await download.path(), 'utf8')
      .trim()
      .split('\r\n')
    expect(head).toBe('from,domain,dimension,value,queries')
    expect(rows.some((row) => row.includes(`,${HOME},country,AT,`))).toBe(true)
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await button(page, 'Remove the filter Countries: Austria').waitFor({ state: 'detached' })
    await watched.close()
  })

  test('live queries of two DNS daemons, sampled when many arrive', async () => {
    const ports = [world().stack.dnsPort, replica.dnsPort]
    for (const port of ports) {
      await eventually(
        () => ask(port, NAS, 'A'),
        ({ rcode }) => rcode === 'NOERROR',
      )
    }
    const watched = await world().openFor(lena)
    const { page } = watched
    await open(page, '#analytics?live=on')
    const live = card(page, 'Real-time Queries')
    await live.getByText('Live', { exact: true }).waitFor()
    const row = (...cells: readonly string[]) =>
      live.getByRole('row', { name: cells.join(' ') }).first()
    // Daemons begin to watch within a second or two.
    const untilShown = async (shown: ReturnType<typeof row>, ...query: Parameters<typeof dig>) =>
      eventually(() => dig(...query).then(() => shown.isVisible()), Boolean)
    await untilShown(row(HOME, 'A', 'NOERROR', 'UDP', '127.0.7.0/24'), ports[0] ?? 0, '127.0.7.9', [
      HOME,
      'A',
    ])
    await untilShown(row(`www.${NAS}`, 'AAAA', 'NXDOMAIN', 'TCP', '::/48'), ports[1] ?? 0, '::1', [
      '+tcp',
      `www.${NAS}`,
      'AAAA',
    ])
    expect(await live.getByText(/^Sampled: /).isVisible()).toBe(false)
    await button(page, 'Pause').click()
    expect(await findingsOnPhone(page, 'live')).toEqual([])
    await button(page, 'Resume').click()
    const many = Array.from({ length: 300 }, () => [HOME, 'A']).flat()
    await eventually(async () => {
      await Promise.all(ports.map((port) => dig(port, '127.0.8.1', many)))
      return live.getByText(/^Sampled: about one of \d+ queries is shown/).isVisible()
    }, Boolean)
    await watched.close()
  })

  test('axe finds nothing and nothing is cut off, at any width and in both schemes', async () => {
    const watched = await world().openFor(lena)
    const { page } = watched
    await card(page, 'DNS Analytics').getByText('Alpine Telecom AG (AS64496)').waitFor()
    await rowOf(page, HOME).waitFor()
    expect(await lookFindings(page, 'analytics-dashboard')).toEqual([])
    await open(page, '#analytics?period=30d&by=country&value=AT&live=on')
    await shownSeries(page)
    await page.getByText('As table').first().click()
    expect(await lookFindings(page, 'analytics-page')).toEqual([])
    await button(page, 'Export Data').click()
    await dialog(page).getByLabel('Format').waitFor()
    expect(await findingsOnPhone(page, 'export')).toEqual([])
    await watched.close()
  })

  test('a free account sees its totals and an example, and an empty account says so', async () => {
    const watched = await world().openFor(fred)
    const { page } = watched
    await open(page, '#analytics')
    await page.getByText('Example', { exact: true }).waitFor()
    expect(await lookFindings(page, 'analytics-free')).toEqual([])
    await becomes('pro', fred)
    await page.reload()
    await page.getByText(/^Exports are included in /).waitFor()
    expect(await findingsOnPhone(page, 'empty')).toEqual([])
    await page.goto('/#dashboard')
    await page.getByText(/^There are no DNS queries for your domains yet/).waitFor()
    await watched.close()
  })
})
