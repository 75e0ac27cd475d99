/// <reference lib="dom" />
/** The screens of web forwards in Chromium on the real service: a redirect is added, becomes stealth, and is deleted. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { needs } from '../test/outside-tool.ts'
import { type Account, addNames, registerAccount } from './support/accounts.ts'
import { findingsInBothSchemes } from './support/axe.ts'
import { DESKTOP, PHONE } from './support/browser.ts'
import { button, dialog, hashOf, picture, rowOf, useSharedDashboard } from './support/dashboard.ts'
import { makePro, startTarget, type Target } from './support/forwards.ts'
import { lookFindings } from './support/look.ts'

const SHOP = 'shop.of-gil.homing.test'
const BLOG = 'blog.of-gil.homing.test'

describe('the screens of web forwards', needs('chromium'), () => {
  const world = useSharedDashboard()
  let gil: Account
  let target: Target
  beforeAll(async () => {
    ;[gil, target] = await Promise.all([
      registerAccount(world().stack, 'gil-screens'),
      startTarget(),
    ])
    await makePro(world().stack, gil)
    await addNames(gil, [SHOP, BLOG])
  })
  afterAll(() => target.stop())

  const open = async (page: Page) => {
    await page.getByRole('link', { name: 'Web Forwarding', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Web Forwarding' }).waitFor()
  }
  const nameOf = (fqdn: string) => new RegExp(`^${fqdn} `)
  const forwardOf = (page: Page, fqdn: string) =>
    page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: nameOf(fqdn) }) })
  const choose = (page: Page, label: string) => dialog(page).getByLabel(label, { exact: true })

  test('a redirect is added, becomes stealth, and is deleted', async () => {
    const watched = await world().openFor(gil)
    const { page } = watched
    await rowOf(page, SHOP).waitFor()
    await page.getByText('0 of 0', { exact: true }).waitFor()
    await open(page)
    await page.getByText(/^You have no web forwards\./).waitFor()
    await button(page, 'Add Web Forwarding').click()
    await choose(page, 'Domain').selectOption(SHOP)
    await choose(page, 'Target URL').fill(`${target.url}/start?from=name`)
    const result = dialog(page).getByRole('region', { name: 'Result' })
    await result.getByText(`${target.url}/start/blog/first?from=name&page=2`).waitFor()
    await dialog(page).getByRole('button', { name: 'Check Target' }).click()
    await dialog(page).getByText('The target answers with status 200.').waitFor()
    await dialog(page).getByRole('button', { name: 'Add Web Forwarding' }).click()
    await page.getByText('Web forwarding created successfully').waitFor()
    const row = forwardOf(page, SHOP)
    await row.getByText('Redirect', { exact: true }).waitFor()
    expect(await row.getByRole('link').last().getAttribute('href')).toBe(
      `${target.url}/start?from=name`,
    )

    await button(page, `Edit the forward of ${SHOP}`).click()
    await dialog(page)
      .getByRole('radio', { name: /^Stealth/ })
      .check()
    await choose(page, 'Title (optional)').fill('Shop')
    await button(page, 'Save Changes').click()
    await page.getByText('Web forwarding updated successfully').waitFor()
    await row.getByText('Stealth', { exact: true }).waitFor()
    await page.getByText('1 of 10 in your plan').waitFor()

    await row.getByRole('link', { name: SHOP }).click()
    await page.getByRole('heading', { name: 'Web Forward', exact: true }).waitFor()
    expect(hashOf(page)).toBe(`#domain/${SHOP}?tab=forward`)
    await page.getByRole('link', { name: 'Overview' }).click()
    await page.getByText(/^They are stored\./).waitFor()
    await page.getByRole('link', { name: 'History' }).click()
    await page.getByText('Type changed from redirect to stealth').waitFor()
    await page.getByRole('link', { name: 'Forward', exact: true }).click()
    await button(page, 'Delete Forward').click()
    await dialog(page).getByText('Are you sure you want to delete this web forwarding?').waitFor()
    await button(page, 'Delete').click()
    await page.getByText('Web forwarding deleted successfully').waitFor()
    await page.getByText(`${SHOP} is not forwarded.`, { exact: false }).waitFor()
    await watched.close()
  })

  test('axe finds nothing and nothing is cut off, at any width and in both schemes', async () => {
    const watched = await world().openFor(gil)
    const { page } = watched
    const findings: string[] = []
    const look = async (where: string) => {
      findings.push(...(await lookFindings(page, `forward-${where}`)))
    }
    await open(page)
    await page.getByText(/^You have no web forwards\./).waitFor()
    await look('empty')
    for (const [fqdn, path, type] of [
      [SHOP, `/${'long-path/'.repeat(12)}`, 'redirect'],
      [BLOG, '/unframed', 'stealth'],
    ] as const) {
      await button(page, 'Add Web Forwarding').click()
      await choose(page, 'Domain').selectOption({ label: fqdn })
      await choose(page, 'Target URL').fill(target.url + path)
      await dialog(page)
        .getByRole('radio', { name: new RegExp(`^${type}`, 'i') })
        .check()
      await dialog(page).getByRole('button', { name: 'Check Target' }).click()
      await dialog(page).getByRole('list', { name: 'Way to the target' }).waitFor()
      if (type === 'stealth') await look('form')
      await dialog(page).getByRole('button', { name: 'Add Web Forwarding' }).click()
      await dialog(page).waitFor({ state: 'detached' })
      await forwardOf(page, fqdn).waitFor()
      const outcome = type === 'redirect' ? ' successfully' : '. Note: The target does not allow'
      await page.getByText(`Web forwarding created${outcome}`).waitFor()
      // It would hide a part of the page.
      await button(page, 'Dismiss').click()
    }
    await page.getByText('Every domain already has a forward.').waitFor()
    await look('list')
    await page.getByRole('link', { name: BLOG }).click()
    await page.getByRole('heading', { name: 'Web Forward', exact: true }).waitFor()
    await look('tab')
    await page.getByRole('link', { name: 'Overview' }).click()
    await page.getByText(/^They are stored\./).waitFor()
    await look('overview')
    await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
    await page.getByText('2 of 2', { exact: true }).waitFor()
    await look('home')
    expect(findings).toEqual([])
    await watched.close()
  })

  test('the path leads a free account to what larger plans have', async () => {
    const fia = await registerAccount(world().stack, 'fia-screens')
    const watched = await world().openFor(fia)
    const { page } = watched
    await page.goto('/webforward')
    await page.getByRole('link', { name: 'Upgrade to Pro' }).waitFor()
    expect(hashOf(page)).toBe('#webforward')
    expect(await page.title()).toMatch(/^Web Forwarding/)
    await page.getByText('Elite: 50 stealth flags').waitFor()
    const found = await findingsInBothSchemes(page, [PHONE, DESKTOP], (scheme, { width }) =>
      picture(page, `forward-free-${scheme}-${width}`),
    )
    expect(found).toEqual([])
    await watched.close()
  })
})
