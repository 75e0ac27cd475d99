/// <reference lib="dom" />
/** The dashboard in a real browser with the whole service, from the first domain to the plan’s limit. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { needs } from '../test/outside-tool.ts'
import { type Account, addNames, registerAccount } from './support/accounts.ts'
import { accessibilityFindings } from './support/axe.ts'
import { DESKTOP, PHONE, type WatchedPage } from './support/browser.ts'
import {
  button,
  chooseInMenu,
  closeHowTo,
  dialog,
  openUpdate,
  picture,
  rowOf,
  shownInTime,
  text,
  untilFocused,
  useSharedDashboard,
} from './support/dashboard.ts'
import { addressesOf, ask } from './support/dns.ts'
import { eventually } from './support/stack.ts'
import { embeddedUrl, forgetLastConfirmation } from './support/tables.ts'
import type { Page } from 'playwright-core'

async function addDomain(page: Page, label: string, address = ''): Promise<void> {
  await button(page, 'Add Domain').click()
  await dialog(page).getByLabel('Subdomain').fill(label)
  if (address !== '') await dialog(page).getByLabel('Initial IP (optional)').fill(address)
  await dialog(page).getByRole('button', { name: 'Add Domain' }).click()
}

describe('the dashboard', needs('chromium'), () => {
  const world = useSharedDashboard()
  let wanda: Account
  beforeAll(async () => {
    wanda = await registerAccount(world().stack, 'wanda')
  })

  describe.each([
    ['1280', { viewport: DESKTOP }],
    ['390', { viewport: PHONE, hasTouch: true, isMobile: true }],
  ])('at %s pixels, a domain', (width, options) => {
    const NAME = `home-${width}.homing.test`
    let ada: Account
    let watched: WatchedPage
    let page: Page

    beforeAll(async () => {
      ada = await registerAccount(world().stack, `ada${width}`)
      await addNames(wanda, [`taken-${width}.homing.test`])
      watched = await world().openFor(ada, { ...options, hasClock: true })
      page = watched.page
    })
    afterAll(() => watched.close())

    test('starts with an empty list that says what to do', async () => {
      await page.getByText('No domains configured yet').waitFor()
      await picture(page, `empty-${width}`)
      await expect.poll(() => text(page, '.stats')).toContain('0 of 5 allowed')
      await expect.poll(() => text(page, '.stats')).toContain('60 minutes')
      await button(page, 'Add Your First Domain').click()
      await untilFocused(dialog(page).getByLabel('Subdomain'))
      await page.keyboard.press('Escape')
      await dialog(page).waitFor({ state: 'detached' })
    })

    test('that is invalid or taken gives an error beside the field, and nothing typed is lost', async () => {
      watched.expectStatus('/api/domains', 422)
      watched.expectStatus('/api/domains', 409)
      await addDomain(page, 'not_a_label', '192.0.2.1')
      const alert = dialog(page).getByRole('alert')
      await expect.poll(() => alert.textContent()).toContain('"_" cannot stand in a name')
      await picture(page, `add-refused-${width}`)

      const label = dialog(page).getByLabel('Subdomain')
      await label.fill(`taken-${width}`)
      await page.keyboard.press('Enter')
      await expect
        .poll(() => alert.textContent())
        .toBe(`taken-${width}.homing.test is already registered. Choose another domain.`)
      const described = await label.getAttribute('aria-describedby')
      expect(await text(page, `[id="${described}"]`)).toContain('is already registered')
      expect(await dialog(page).getByLabel('Initial IP (optional)').inputValue()).toBe('192.0.2.1')

      await label.fill(`home-${width}`)
      await dialog(page).getByLabel('Initial IP (optional)').fill('999.0.2.1')
      await page.keyboard.press('Enter')
      await expect.poll(() => alert.textContent()).toMatch(/address/i)
      await dialog(page).getByRole('button', { name: 'Cancel' }).click()
    })

    test('is added, shown, and served by DNS', async () => {
      watched.expectStatus(/\/update-token$/, 404)
      await addDomain(page, `home-${width}`, '192.0.2.7')
      await dialog(page).getByRole('button', { name: 'Create Update Token' }).waitFor()
      await picture(page, `how-to-${width}`)
      await closeHowTo(page)
      const row = rowOf(page, NAME)
      await row.waitFor()
      await world().served(NAME, '192.0.2.7')
      expect(await row.textContent()).toContain('Active')
      expect(await row.textContent()).toContain('192.0.2.7')
      await expect.poll(() => text(page, '.stats')).toContain('1 of 5 allowed')
      await picture(page, `added-${width}`)
    })

    test('gets the record type of its address', async () => {
      await button(page, 'Add Domain').click()
      const type = dialog(page).getByLabel('Record Type')
      const address = dialog(page).getByLabel('Initial IP (optional)')
      await address.fill('2001:db8::1')
      expect(await type.inputValue()).toBe('AAAA')
      await address.fill('192.0.2.1')
      expect(await type.inputValue()).toBe('A')
      await dialog(page).getByLabel('Subdomain').fill('nas')
      expect(await text(page, 'output')).toBe('nas.homing.test')
      await dialog(page).getByRole('button', { name: 'Use my address' }).click()
      await expect.poll(() => address.inputValue()).toBe('127.0.0.1')
      await page.keyboard.press('Escape')
      await dialog(page).waitFor({ state: 'detached' })
    })

    test('is updated in both families, and the update can be undone', async () => {
      await openUpdate(page, NAME)
      await dialog(page).getByLabel('IPv4 address').fill('192.0.2.8')
      await dialog(page).getByLabel('IPv6 address').fill('2001:db8::8')
      await picture(page, `update-${width}`)
      await page.keyboard.press('Enter')
      await world().served(NAME, '192.0.2.8')
      await world().served(NAME, '2001:db8::8')
      await button(page, 'Undo').click()
      await world().served(NAME, '192.0.2.7')
      expect(await addressesOf(world().stack.dnsPort, NAME, 'AAAA')).toEqual([])
      await expect.poll(() => rowOf(page, NAME).textContent()).not.toContain('2001:db8::8')
    })

    test('shows both versions when another client has changed it', async () => {
      await openUpdate(page, NAME)
      await dialog(page).getByLabel('IPv4 address').fill('192.0.2.9')
      await ada.api.PUT('/api/domains/fqdn/{fqdn}', {
        params: { path: { fqdn: NAME } },
        body: { record_ip: '192.0.2.66' },
      })
      watched.expectStatus(/^\/api\/domains\/\d+$/, 412)
      await page.keyboard.press('Enter')
      const versions = dialog(page).getByRole('row', { name: /^IPv4/ })
      await expect.poll(() => versions.textContent()).toBe('IPv4192.0.2.66192.0.2.9')
      await picture(page, `conflict-${width}`)
      await world().served(NAME, '192.0.2.66')
      await dialog(page).getByRole('button', { name: 'Save Mine' }).click()
      await world().served(NAME, '192.0.2.9')
    })

    test('needs confirmation of identity before an update token is created, and the user can try again', async () => {
      watched.expectStatus(/\/update-token$/, 404)
      watched.expectStatus(/\/update-token$/, 403)
      watched.expectStatus('/api/me/confirm', 422)
      await forgetLastConfirmation(embeddedUrl(world().stack.dataDir), ada.username)
      await chooseInMenu(page, NAME, 'How to Update')
      const make = dialog(page).getByRole('button', { name: 'Create Update Token' })
      await make.click()
      await untilFocused(dialog(page).getByLabel('Password', { exact: true }))
      await picture(page, `confirm-${width}`)
      expect(await accessibilityFindings(page)).toEqual([])
      await page.keyboard.press('Escape')
      // Nothing was created, and no error is shown for a cancelled confirmation.
      await make.waitFor()
      expect(await dialog(page).getByRole('alert').count()).toBe(0)

      await make.click()
      await dialog(page).getByLabel('Password', { exact: true }).fill('not the password')
      await page.keyboard.press('Enter')
      await dialog(page).getByText('This is not your current password.').waitFor()
      await dialog(page).getByLabel('Password', { exact: true }).fill(ada.password)
      await page.keyboard.press('Enter')
      await dialog(page).locator('code', { hasText: /^ut_/ }).waitFor()
    })

    test('is updated by a router with its own token', async () => {
      const token = dialog(page).locator('code', { hasText: /^ut_/ })
      await token.waitFor()
      await picture(page, `token-${width}`)
      await page.keyboard.press('Escape')
      expect(await dialog(page).count()).toBe(1)

      const credentials = Buffer.from(`anybody:${await token.textContent()}`).toString('base64')
      const answer = await fetch(
        `${world().stack.url}/nic/update?hostname=${NAME}&myip=192.0.2.10`,
        {
          headers: { authorization: `Basic ${credentials}`, 'user-agent': 'a router' },
        },
      )
      expect(await answer.text()).toBe('good 192.0.2.10\n')
      await expect
        .poll(() => dialog(page).textContent(), { timeout: 15_000 })
        .toContain('Received just now from 127.0.0.1, client a router, answered good 192.0.2.10')
      await dialog(page)
        .getByRole('button', { name: /Saved the Token/ })
        .click()
      await dialog(page).waitFor({ state: 'detached' })
      await shownInTime(page, rowOf(page, NAME).filter({ hasText: '192.0.2.10' }))
    })

    test('has a page with its update calls and its history, where a change can be undone', async () => {
      await page.getByRole('link', { name: NAME, exact: true }).click()
      await page.getByRole('heading', { level: 1, name: NAME }).waitFor()
      await page.getByText('a router', { exact: false }).first().waitFor()
      await picture(page, `domain-${width}`)
      expect(await accessibilityFindings(page)).toEqual([])
      await page.getByRole('link', { name: 'Update Calls' }).click()
      await page.getByText('The call contained 192.0.2.10.').waitFor()
      await picture(page, `domain-calls-${width}`)
      expect(await accessibilityFindings(page)).toEqual([])
      await page.getByRole('link', { name: 'History' }).click()
      await page
        .getByRole('button', { name: /^Undo: Address changed/ })
        .first()
        .click()
      await page.getByText('Undo of an earlier change').waitFor()
      await picture(page, `domain-history-${width}`)
      expect(await accessibilityFindings(page)).toEqual([])
      await world().served(NAME, '192.0.2.9')
      await page.getByRole('link', { name: 'Back to Dashboard' }).click()
      await rowOf(page, NAME).waitFor()
    })

    test('is deleted, and can be restored', async () => {
      await chooseInMenu(page, NAME, 'Delete')
      await expect.poll(() => dialog(page).textContent()).toContain('can be restored for 30 days')
      await picture(page, `delete-${width}`)
      await dialog(page).getByRole('button', { name: 'Delete' }).click()
      await rowOf(page, NAME).waitFor({ state: 'detached' })
      await eventually(
        () => ask(world().stack.dnsPort, NAME, 'A'),
        ({ rcode }) => rcode === 'NXDOMAIN',
      )
      const deleted = page.getByRole('listitem').filter({ hasText: 'was deleted.' })
      await deleted.getByRole('button', { name: 'Undo' }).click()
      await rowOf(page, NAME).waitFor()
      await world().served(NAME, '192.0.2.9')
    })

    test('cannot be added at the plan’s limit, and the reason is shown', async () => {
      const names = Array.from({ length: 4 }, (_, n) => `more-${n}-${width}.homing.test`)
      await addNames(ada, names)
      await page.reload()
      const add = button(page, 'Add Domain')
      await expect.poll(() => add.isDisabled()).toBe(true)
      // It is disabled until the plan is read, too.
      const reason = async () => text(page, `#${await add.getAttribute('aria-describedby')}`)
      await expect
        .poll(reason)
        .toBe(
          'Your plan allows 5 domains and you have 5. Delete one to add another, or choose the Pro plan with 100 domains.',
        )
      await picture(page, `limit-${width}`)
    })
  })
})
