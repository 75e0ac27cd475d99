/// <reference lib="dom" />
/**
 * The screens of own zones and vanity name servers in Chromium on the real service. A registrar is not part of it: the tests
 * set in the database what a check of the delegation would find.
 */
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { needs } from '../test/outside-tool.ts'
import { type Account, registerAccount } from './support/accounts.ts'
import { useSharedOffice } from './support/back-office.ts'
import { button, dialog, hashOf, loadAt, useSharedDashboard } from './support/dashboard.ts'
import { lookFindings } from './support/look.ts'
import { checkOf, claim, makeElite, setClaim } from './support/own-zones.ts'

const look = (page: Page, where: string) => lookFindings(page, `zones-${where}`)

describe('the screens of own zones', needs('chromium'), () => {
  const world = useSharedDashboard()
  const office = useSharedOffice()
  let eli: Account
  beforeAll(async () => {
    eli = await registerAccount(world().stack, 'eli-zones')
    await makeElite(world().stack, eli)
  })

  const go = async (page: Page, hash: string, heading: string | RegExp) => {
    await loadAt(page, hash)
    await page.getByRole('heading', { level: 1, name: heading }).waitFor()
  }
  const BRANDING = 'Professional Nameserver Branding'

  test('vanity name servers are set up, verified and removed', async () => {
    const watched = await world().openFor(eli)
    const { page } = watched
    const card = page.getByRole('region', { name: 'Vanity Name Servers' })
    await card.getByRole('link', { name: 'Set up name servers' }).click()
    await page.getByRole('heading', { level: 1, name: BRANDING }).waitFor()
    const field = page.getByLabel('Domain', { exact: true })
    await field.fill('co.uk')
    watched.expectStatus('/api/vanity-ns/setup', 422)
    await button(page, 'Set Up').click()
    await page.getByRole('alert').waitFor()
    await field.fill('eli-brand.example')
    await button(page, 'Set Up').click()
    await page.getByText('Setup complete! Now add the glue records at your registrar.').waitFor()
    const table = page.getByRole('table', { name: 'Name servers and their glue records' })
    await table.getByText('ns1.eli-brand.example').waitFor()
    await button(page, 'Verify').click()
    await page.getByText('Verification failed. Please check your glue records.').waitFor()

    await setClaim(world().stack, 'eli-brand.example', { state: 'active', check: checkOf() })
    await page.reload()
    await page.getByText(/^Your vanity name servers are active since/).waitFor()
    await button(page, 'Remove Name Servers').click()
    await dialog(page).getByRole('textbox').fill('eli-brand.example')
    await dialog(page).getByRole('button', { name: 'Remove' }).click()
    await page.getByText('The vanity name servers were removed.').waitFor()
    await button(page, 'Set Up').waitFor()
    const { data } = await eli.api.GET('/api/vanity-ns/status')
    expect(data).toMatchObject({ available: true, configured: false, zones_count: 0 })
    await watched.close()
  })

  test('a zone is added; when it is active, it serves records and domains; it is deleted', async () => {
    const watched = await world().openFor(eli)
    const { page } = watched
    await page.getByRole('link', { name: 'Zones', exact: true }).click()
    await button(page, 'Add Zone').waitFor()
    await page.keyboard.press('c')
    await dialog(page).getByLabel('Domain', { exact: true }).fill('Eli-Lab.example.')
    await dialog(page).getByRole('button', { name: 'Add Zone' }).click()
    await page.getByRole('heading', { level: 1, name: 'eli-lab.example' }).waitFor()
    await page.getByText(/answers for eli-lab\.example with its name servers alone/).waitFor()

    await setClaim(world().stack, 'eli-lab.example', { state: 'active', check: checkOf() })
    await page.reload()
    await page.getByText('DNS serves your records and domains.').waitFor()
    await page.getByRole('link', { name: 'Domains', exact: true }).click()
    await page.getByRole('link', { name: 'Add Domain' }).click()
    const zone = dialog(page).getByLabel('Zone')
    await expect.poll(() => zone.inputValue()).toBe('eli-lab.example')
    await dialog(page).getByLabel('Subdomain').fill('@')
    await dialog(page)
      .getByLabel(/^Initial IP/)
      .fill('192.0.2.77')
    watched.expectStatus(/\/update-token$/, 404)
    await dialog(page).getByRole('button', { name: 'Add Domain' }).click()
    await page.getByRole('dialog', { name: 'How to update eli-lab.example' }).waitFor()
    await world().served('eli-lab.example', '192.0.2.77')

    await go(page, '#zones/eli-lab.example?tab=domains', 'eli-lab.example')
    await page.getByText('Show 1 domain in the dashboard').waitFor()
    await button(page, 'Delete Zone').click()
    await dialog(page).getByText('1 domain, with forwards, monitors and update tokens').waitFor()
    await dialog(page).getByRole('textbox').fill('eli-lab.example')
    await dialog(page).getByRole('button', { name: 'Delete' }).click()
    await page.getByText('eli-lab.example was deleted.').waitFor()
    expect(hashOf(page)).toBe('#zones')
    await watched.close()
  })

  test('axe finds nothing and nothing is cut off in any state of a zone', async () => {
    const { stack } = world()
    const ana = await registerAccount(stack, 'ana-zones')
    await makeElite(stack, ana)
    const watched = await world().openFor(ana)
    const { page } = watched
    const findings: string[] = []
    await go(page, '#zones', 'Own Zones')
    await page.getByText(/^You have no own zones\./).waitFor()
    findings.push(...(await look(page, 'empty')))
    await button(page, 'Add Zone').click()
    await dialog(page).getByLabel('Domain', { exact: true }).waitFor()
    findings.push(...(await look(page, 'add')))

    const states = [
      ['ana-pending.example', { state: 'pending', check: checkOf('delegated', 'names') }],
      ['ana-contested.example', { state: 'pending', check: checkOf(), wasDelegated: true }],
      ['ana-broken-with-a-long-name.example', { state: 'active', check: checkOf('names') }],
      ['ana-active.example', { state: 'active', check: checkOf() }],
      ['ana-withheld.example', { state: 'withheld', check: checkOf() }],
      ['ana-lost.example', { state: 'lost', check: checkOf() }],
      ['ana-expired.example', { state: 'expired', check: checkOf('delegated') }],
    ] as const
    for (const [domain, state] of states) {
      await claim(ana, domain)
      await setClaim(stack, domain, state)
    }
    await go(page, '#zones', 'Own Zones')
    await page.getByRole('link', { name: 'ana-active.example' }).waitFor()
    findings.push(...(await look(page, 'list')))
    for (const [domain, { state }] of states) {
      await go(page, `#zones/${domain}`, domain)
      // It looks as a broken one with less to correct.
      if (domain === 'ana-active.example') continue
      if (state === 'pending') await page.getByText(/^Responses of the 2 servers of/).click()
      findings.push(...(await look(page, domain)))
    }
    await go(page, '#zones/ana-active.example?tab=records', 'ana-active.example')
    await button(page, /^Add Record/)
      .first()
      .waitFor()
    findings.push(...(await look(page, 'records')))
    await go(page, '#zones/ana-active.example?tab=domains', 'ana-active.example')
    await page.getByText('There are no domains in this zone.').waitFor()
    findings.push(...(await look(page, 'domains')))
    await button(page, 'Delete Zone').click()
    await dialog(page).getByRole('textbox').waitFor()
    findings.push(...(await look(page, 'delete')))
    expect(findings).toEqual([])
    await watched.close()
  })

  test('axe finds nothing and nothing is cut off in any state of vanity name servers', async () => {
    const { stack } = world()
    const ina = await registerAccount(stack, 'ina-zones')
    await makeElite(stack, ina)
    const watched = await world().openFor(ina)
    const { page } = watched
    const findings: string[] = []
    const domain = 'ina-brand.example'
    await go(page, '#vanity-nameservers', BRANDING)
    await button(page, 'Set Up').waitFor()
    findings.push(...(await look(page, 'vanity-new')))
    await ina.api.POST('/api/vanity-ns/setup', { body: { domain } })
    const states = [
      ['pending', { state: 'pending', check: checkOf('names', 'glue', 'ipv4', 'no-ds') }],
      ['contested', { state: 'pending', check: checkOf(), wasDelegated: true }],
      ['active', { state: 'active', check: checkOf() }],
      ['broken', { state: 'active', check: checkOf('authoritative') }],
      ['withheld', { state: 'withheld', check: checkOf() }],
    ] as const
    for (const [name, state] of states) {
      await setClaim(stack, domain, state)
      await page.reload()
      await page.getByRole('table', { name: 'Name servers and their glue records' }).waitFor()
      if (name === 'pending') await page.getByText('Namecheap').first().click()
      findings.push(...(await look(page, `vanity-${name}`)))
    }
    await go(page, '#dashboard', 'Dashboard')
    await page.getByRole('region', { name: 'Vanity Name Servers' }).waitFor()
    findings.push(...(await look(page, 'home')))
    expect(findings).toEqual([])
    await watched.close()
  })

  test('accounts without the feature get the dashboard, and an offer in place of zones', async () => {
    const fox = await registerAccount(world().stack, 'fox-zones')
    const watched = await world().openFor(fox)
    const { page } = watched
    await page.goto('/vanity-nameservers')
    await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor()
    expect(hashOf(page)).toBe('#dashboard')
    await page.goto('/zones')
    await page.getByRole('heading', { name: 'Own zones are not included in your plan' }).waitFor()
    expect(await page.title()).toMatch(/^Own Zones/)
    expect(await look(page, 'free')).toEqual([])
    await watched.close()
  })

  test('administrators find a claim, its check, and the other claims of the domain', async () => {
    const { stack } = world()
    const [lea, leo] = await Promise.all([
      registerAccount(stack, 'lea-zones'),
      registerAccount(stack, 'leo-zones'),
    ])
    for (const each of [lea, leo]) {
      await makeElite(stack, each)
      await claim(each, 'two-claims.example')
    }
    await setClaim(stack, 'two-claims.example', { state: 'pending', check: checkOf('glue') })
    const watched = await office().openFor(office().boss, '/admin/zones')
    const { page } = watched
    await page.getByLabel('Search zone or owner').fill('two-claims')
    await expect.poll(() => page.getByRole('row').count()).toBe(3)
    const findings = await look(page, 'admin-list')
    await page.getByRole('link', { name: 'two-claims.example' }).first().click()
    await page.getByRole('heading', { level: 1, name: 'two-claims.example' }).waitFor()
    const claims = page.getByRole('region', { name: 'Other claims of this domain' })
    await claims.getByRole('link', { name: /^le[ao]-zones$/ }).waitFor()
    await page.getByText(/^example has no addresses of the name servers\./).waitFor()
    findings.push(...(await look(page, 'admin-claim')))
    expect(findings).toEqual([])
    await watched.close()
  })
})
