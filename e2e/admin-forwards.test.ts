/** Web forwards in the back office: an administrator disables one with a reason, and enables it again. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { needs } from '../test/outside-tool.ts'
import { type Account, addNames, registerAccount } from './support/accounts.ts'
import { filterOf, heading, link, rowOf, rows, useSharedOffice } from './support/back-office.ts'
import { DESKTOP, PHONE, type WatchedPage } from './support/browser.ts'
import { button, dialog, picture } from './support/dashboard.ts'
import { addressesOf } from './support/dns.ts'
import { eventually } from './support/stack.ts'

const OWN_ADDRESS = '192.0.2.1'
/** Where DNS leads forwarded domains: `FORWARD_ADDRESSES` of a service on one machine. */
const FORWARDER = '127.0.0.1'
const REASON = 'It imitates a bank.'

describe('web forwards in the back office', needs('chromium'), () => {
  const office = useSharedOffice()

  describe.each([
    ['1280', { viewport: DESKTOP }],
    ['390', { viewport: PHONE, hasTouch: true, isMobile: true }],
  ])('at %s pixels', (width, options) => {
    const username = `wanda${width}`
    const name = `home-of-${username}.homing.test`
    const target = `https://shop-of-${username}.example.com/`
    let wanda: Account
    let watched: WatchedPage
    let page: Page

    beforeAll(async () => {
      wanda = await registerAccount(office().stack, username)
      await addNames(wanda, [name])
      await office().changePlan(wanda, 'elite')
      const { data: domains } = await wanda.api.GET('/api/domains')
      const body = { domain_id: domains?.[0]?.id ?? '', target_url: target }
      await wanda.api.POST('/api/webforward', { body })
      watched = await office().openFor(office().boss, '/admin/web-forwards', options)
      page = watched.page
    })
    afterAll(() => watched.close())

    const resolves = async (wanted: string) =>
      eventually(
        () => addressesOf(office().stack.dnsPort, name, 'A'),
        ([address]) => address === wanted,
      )
    const reason = async () => (await wanda.api.GET('/api/webforward')).data?.[0]?.disabled_reason

    test('one is found by its target', async () => {
      await resolves(FORWARDER)
      await page.getByLabel('Search domain or target').fill(target)
      await expect.poll(() => filterOf(page)).toEqual({ q: target })
      await expect.poll(() => rows(page).count()).toBe(1)
      for (const text of [username, target, 'Redirect 301', 'Active']) {
        expect(await rowOf(page, name).textContent()).toContain(text)
      }
    })

    test('it is disabled: DNS leads to the domain’s own address, and its owner reads the reason', async () => {
      await button(page, `Disable the web forward of ${name}`).click()
      await dialog(page).getByLabel('Reason').fill(REASON)
      await picture(page, `admin-forward-question-${width}`)
      await dialog(page).getByRole('button', { name: 'Disable' }).click()
      await page.getByText(`The web forward of ${name} is disabled.`).waitFor()
      await resolves(OWN_ADDRESS)
      expect(await reason()).toBe(REASON)
      await page.getByRole('button', { name: /^Disabled/ }).click()
      await expect.poll(() => filterOf(page)).toEqual({ q: target, status: 'disabled' })
      await expect.poll(() => rowOf(page, name).textContent()).toContain(REASON)
      await picture(page, `admin-forwards-disabled-${width}`)
    })

    test('it is enabled from the link on the page of its domain', async () => {
      await link(page, name).click()
      await heading(page, name).waitFor()
      await link(page, target).click()
      await button(page, `Enable the web forward of ${name}`).click()
      await dialog(page).getByRole('button', { name: 'Enable' }).click()
      await page.getByText(`The web forward of ${name} is enabled.`).waitFor()
      await resolves(FORWARDER)
      expect(await reason()).toBe(null)
    })
  })
})
