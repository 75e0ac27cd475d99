/// <reference lib="dom" />
/** The dashboard’s list: its state in the URL, its behaviour when the service is unavailable, and the end of sessions. */
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { needs } from '../test/outside-tool.ts'
import { type Account, addNames, registerAccount } from './support/accounts.ts'
import { accessibilityFindings } from './support/axe.ts'
import {
  button,
  dialog,
  hashOf,
  picture,
  rowOf,
  shownInTime,
  signInAgain,
  useSharedDashboard,
} from './support/dashboard.ts'
import { layoutFindings } from './support/layout.ts'

describe('the dashboard', needs('chromium'), () => {
  const world = useSharedDashboard()
  let benny: Account
  beforeAll(async () => {
    benny = await registerAccount(world().stack, 'benny')
  })

  describe('the list', () => {
    let cleo: Account
    beforeAll(async () => {
      cleo = await registerAccount(world().stack, 'cleo')
      await addNames(cleo, ['alpha.homing.test', 'beta.homing.test', 'gamma.homing.test'])
    })
    const names = (page: Page) => page.getByRole('rowheader').allTextContents()

    test('follows its URL: search, order, back button, reload', async () => {
      const watched = await world().openFor(cleo)
      const { page } = watched
      await expect
        .poll(() => names(page))
        .toEqual(['alpha.homing.test', 'beta.homing.test', 'gamma.homing.test'])
      await button(page, 'Domain').click()
      await expect.poll(async () => (await names(page))[0]).toBe('gamma.homing.test')
      expect(hashOf(page)).toBe('#dashboard?sort=-fqdn')
      const head = page.getByRole('columnheader', { name: 'Domain', exact: true })
      expect(await head.getAttribute('aria-sort')).toBe('descending')

      await page.getByRole('searchbox').fill('bet')
      await expect.poll(() => names(page)).toEqual(['beta.homing.test'])
      expect(hashOf(page)).toBe('#dashboard?q=bet&sort=-fqdn')
      await page.reload()
      await expect.poll(() => names(page)).toEqual(['beta.homing.test'])
      expect(await page.getByRole('searchbox').inputValue()).toBe('bet')

      await page.getByRole('searchbox').fill('nothing like it')
      await page.getByText('No domain matches “nothing like it”.').waitFor()
      await button(page, 'Clear Search').click()
      await expect.poll(async () => (await names(page)).length).toBe(3)
      await watched.close()
    })

    test('keeps the longest names and tags within the window, as a table and as cards', async () => {
      const dorothea = await registerAccount(world().stack, 'dorothea')
      const long = `${['a', 'b', 'c'].map((letter) => letter.repeat(63)).join('.')}.homing.test`
      await addNames(dorothea, [long])
      await dorothea.api.PUT('/api/domains/fqdn/{fqdn}', {
        params: { path: { fqdn: long } },
        body: {
          record_ipv6: '2001:db8:aaaa:bbbb:cccc:dddd:eeee:ffff',
          note: 'n'.repeat(200),
          tags: ['W'.repeat(32), 'مكتب المنزل', '<img src=x onerror=alert(1)>'],
        },
      })
      const watched = await world().openFor(dorothea)
      const { page } = watched
      const findings: string[] = []
      const look = async (where: string) => {
        for (const width of [320, 1280]) {
          await page.setViewportSize({ width, height: 800 })
          await picture(page, `long-${where}-${width}`)
          findings.push(
            ...(await layoutFindings(page)).map((found) => `${where} ${width}: ${found}`),
          )
        }
      }
      await rowOf(page, long).waitFor()
      await look('table')
      await page.getByRole('checkbox', { name: `Select ${long}` }).check()
      await look('selection')
      await page.getByRole('link', { name: long, exact: true }).click()
      await page.getByRole('heading', { level: 1, name: long }).waitFor()
      await look('domain')
      expect(findings).toEqual([])
      await watched.close()
    })

    test('keeps its rows and shows their time when the service is unavailable, and recovers', async () => {
      const watched = await world().openFor(cleo, { hasClock: true })
      const { page } = watched
      await expect.poll(async () => (await names(page)).length).toBe(3)
      watched.expectStatus('/api/domains', 0)
      await page.route('**/api/domains?*', (route) => route.abort('connectionrefused'))
      await shownInTime(page, page.getByText(/This list was last updated at \d/))
      expect((await names(page)).length).toBe(3)
      await picture(page, 'stale')
      await page.unroute('**/api/domains?*')
      await button(page, 'Retry').click()
      await page.getByText(/This list was last updated at/).waitFor({ state: 'detached' })
      await watched.close()
    })

    test('shows the request id when the service fails, and can retry', async () => {
      const watched = await world().openFor(cleo, { hasClock: true })
      const { page } = watched
      watched.expectStatus('/api/domains', 500)
      await page.route('**/api/domains?*', (route) =>
        route.fulfill({
          status: 500,
          contentType: 'application/problem+json',
          body: JSON.stringify({ detail: 'Something went wrong on our side.', requestId: 'r-17' }),
        }),
      )
      await page.reload()
      const alert = page.getByRole('alert')
      await shownInTime(page, alert)
      expect(await alert.textContent()).toContain('Something went wrong on our side.')
      expect(await alert.textContent()).toContain('r-17')
      await page.unroute('**/api/domains?*')
      await button(page, 'Retry').click()
      await expect.poll(async () => (await names(page)).length).toBe(3)
      await watched.close()
    })
  })

  describe('the session', () => {
    test('ends with Logout, which leads to the landing page, and in every other tab', async () => {
      const watched = await world().openFor(benny)
      // Wait for the list: a pending request would get a 401.
      await watched.page.getByText('No domains configured yet').waitFor()
      const second = await watched.page.context().newPage()
      await second.goto('/#dashboard')
      await second.getByText('No domains configured yet').waitFor()
      // The service refuses what the page reads again while the session ends.
      watched.expectStatus(/^\/api\//, 401)
      await button(watched.page, 'Logout').click()
      await watched.page.getByRole('heading', { level: 1, name: /^A domain that/ }).waitFor()
      expect(watched.page.url()).toBe(`${world().stack.url}/`)
      await second.getByRole('heading', { level: 1, name: /^A domain that/ }).waitFor()
      const stored = await watched.page.evaluate(() => localStorage.getItem('user'))
      expect(stored).toBeNull()
      expect((await watched.page.context().cookies()).map(({ name }) => name)).toEqual([])
      await watched.close()
    })

    test('that ended elsewhere is renewed in place, and an open dialog keeps its text', async () => {
      const watched = await world().openFor(benny, { hasClock: true })
      const { page } = watched
      await page.getByRole('searchbox').fill('taken')
      await expect.poll(() => hashOf(page)).toBe('#dashboard?q=taken')
      watched.expectStatus(/^\/api\//, 401)
      await button(page, 'Add Domain').click()
      const subdomain = dialog(page).getByLabel('Subdomain')
      await subdomain.fill('renewed')
      await page.context().clearCookies()
      await shownInTime(page, page.getByText('Your session has ended.'))
      expect(await accessibilityFindings(page)).toEqual([])
      await picture(page, 'sign-in-again')
      await signInAgain(page, benny.password)
      expect(hashOf(page)).toBe('#dashboard?q=taken&dialog=add')
      expect(await page.getByRole('searchbox', { includeHidden: true }).inputValue()).toBe('taken')
      expect(await subdomain.inputValue()).toBe('renewed')
      watched.expectStatus(/\/update-token$/, 404)
      await dialog(page).getByRole('button', { name: 'Add Domain' }).click()
      await page.getByText(/^renewed\..* was added/).waitFor()
      await watched.close()
    })
  })
})
