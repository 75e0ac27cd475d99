/// <reference lib="dom" />
/** Payments in the back office: tax rates, the totals of the ledger and its file, at two widths. */
import { readFileSync } from 'node:fs'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { needs } from '../test/outside-tool.ts'
import { findingsInBothSchemes } from './support/axe.ts'
import { rows, useSharedOffice } from './support/back-office.ts'
import { DESKTOP, PHONE, type WatchedPage } from './support/browser.ts'
import { button, dialog, picture } from './support/dashboard.ts'
import { embeddedUrl } from './support/tables.ts'

/** A day on which no other test pays. */
const DAY = { from: '2019-05-01T00:00:00.000Z', to: '2019-05-02T00:00:00.000Z' }
const LEDGER = `/admin/ledger?filter=${encodeURIComponent(JSON.stringify(DAY))}`

describe('payments in the back office', needs('chromium'), () => {
  const office = useSharedOffice()
  let watched: WatchedPage

  beforeAll(async () => {
    const client = new Client({ connectionString: embeddedUrl(office().stack.dataDir) })
    await client.connect()
    await client.query(
      `insert into ledger_entries (happened_at, provider, kind, amount_cents, currency, provider_id)
       select '2019-05-01', provider, kind, cents, 'USD', 'screen_' || provider || kind
       from (values ('payment', 132000000), ('refund', -11000), ('dispute', -2500), ('dispute_won', 2500)) k(kind, cents),
            (values ('stripe'), ('paypal')) p(provider)`,
    )
    await client.end()
    watched = await office().openFor(office().boss, '/admin/tax-rates')
  })
  afterAll(async () => watched.close())

  test('a tax rate is added, changed and deleted', async () => {
    const { page } = watched
    await button(page, 'Add a tax rate').click()
    await dialog(page).getByLabel('Country').selectOption('Iceland')
    await dialog(page).getByLabel('Rate in percent').fill('24')
    await button(page, 'Save').click()
    await page.getByText('The tax rate of Iceland is 24 %.').waitFor()
    await button(page, 'Edit the tax rate of Iceland').click()
    await dialog(page).getByLabel('Rate in percent').fill('11,5')
    const findings = await findingsInBothSchemes(page, [PHONE, DESKTOP], (scheme, { width }) =>
      picture(page, `admin-tax-rate-${scheme}-${width}`),
    )
    expect(findings).toEqual([])
    await button(page, 'Save').click()
    await page.getByText('The tax rate of Iceland is 11.5 %.').waitFor()
    await rows(page).filter({ hasText: 'Iceland' }).getByText('11.5 %').waitFor()
    await picture(page, 'admin-tax-rates')
    await button(page, 'Delete the tax rate of Iceland').click()
    await dialog(page).getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('The tax rate of Iceland was deleted.').waitFor()
  })

  test('the ledger shows its totals at any width, and its file has what the filter leaves', async () => {
    const { page } = watched
    await page.goto(LEDGER)
    await page.getByRole('cell', { name: 'PayPal, USD' }).waitFor()
    const findings = await findingsInBothSchemes(page, [PHONE, DESKTOP], (scheme, { width }) =>
      picture(page, `admin-ledger-${scheme}-${width}`),
    )
    expect(findings).toEqual([])
    await page.setViewportSize({ width: 320, height: 640 })
    await picture(page, 'admin-ledger-320')
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect(overflow).toBe(0)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export as CSV' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('ledger.csv')
    const lines = readFileSync(await download.path(), 'utf8')
      .trimEnd()
      .split('\r\n')
    expect(lines).toHaveLength(9)
    expect(lines).toContain(
      '2019-05-01T00:00:00.000Z,stripe,refund,-110.00,USD,screen_striperefund,,',
    )
  })
})
