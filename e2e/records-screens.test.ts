/// <reference lib="dom" />
/** The screens of records in Chromium on the real service: forms, import, deletion with Undo, and what DNS answers. */
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { needs } from '../test/outside-tool.ts'
import { type Account, addNames, registerAccount } from './support/accounts.ts'
import { findingsInBothSchemes } from './support/axe.ts'
import { DESKTOP, PHONE } from './support/browser.ts'
import { button, dialog, hashOf, picture, rowOf, useSharedDashboard } from './support/dashboard.ts'
import { ask } from './support/dns.ts'
import { makePro } from './support/forwards.ts'
import { lookFindings } from './support/look.ts'
import { eventually } from './support/stack.ts'

const HOME = 'home.of-rea.homing.test'
const SHOP = 'shop.of-rea.homing.test'
const DKIM = `v=DKIM1; k=rsa; p=${'MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKB'.repeat(11)}`

describe('the screens of records', needs('chromium'), () => {
  const world = useSharedDashboard()
  let rea: Account
  beforeAll(async () => {
    rea = await registerAccount(world().stack, 'rea-screens')
    await makePro(world().stack, rea)
    await addNames(rea, [HOME, SHOP])
  })

  const field = (page: Page, label: string) => dialog(page).getByLabel(label, { exact: true })
  const row = (page: Page, name: string) =>
    page.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) })
  const openRecords = async (page: Page, fqdn: string) => {
    await page.goto(`/#domain/${fqdn}?tab=records`)
    await page.getByRole('heading', { name: 'Records', exact: true }).waitFor()
  }
  /** The dry runs while the user types are refused. */
  const openFor = async (account: Account) => {
    const watched = await world().openFor(account)
    watched.expectStatus(/^\/api\/domains\/\d+\/records$/, 422)
    return watched
  }
  /** Waits until DNS answers a question with this data; undefined: with no record. */
  const answered = (name: string, type: string, data: unknown) =>
    eventually(
      () => ask(world().stack.dnsPort, name, type),
      ({ answers }) => JSON.stringify(answers[0]?.data) === JSON.stringify(data),
    )
  const dismiss = async (page: Page) => {
    const buttons = button(page, 'Dismiss')
    while ((await buttons.count()) > 0) await buttons.first().click()
  }

  test('an MX and a TXT record made by form are answered, and a deletion is undone', async () => {
    const watched = await openFor(rea)
    const { page } = watched
    await rowOf(page, HOME).waitFor()
    await page.getByRole('link', { name: HOME }).first().click()
    await page.getByRole('link', { name: 'Records', exact: true }).click()
    await page.getByText(/^0 of 1,000 records/).waitFor()

    await button(page, /^Receive mail/).click()
    await field(page, 'Mail server').fill('mail')
    await dialog(page).getByRole('alert').filter({ hasText: 'mail' }).waitFor()
    await field(page, 'Mail server').fill('mail.example.com')
    await dialog(page).getByText(`${HOME}. 3600 MX 10 mail.example.com.`).waitFor()
    await dialog(page).getByRole('button', { name: 'Add Record' }).click()
    await page.getByText(`MX of ${HOME} was added.`).waitFor()
    await answered(HOME, 'MX', { preference: 10, exchange: 'mail.example.com' })

    await button(page, 'Add Record').click()
    await field(page, 'Name').fill('sel._domainkey')
    await field(page, 'Text').fill(DKIM)
    await field(page, 'TTL in seconds').fill('300')
    await dialog(page)
      .getByText(/^DNS will answer/)
      .waitFor()
    await dialog(page).getByRole('button', { name: 'Add Record' }).click()
    await row(page, 'sel._domainkey').waitFor()
    const texts = async () => {
      const { answers } = await ask(world().stack.dnsPort, `sel._domainkey.${HOME}`, 'TXT')
      return answers.map(({ data }) => [data].flat().map(String).join(''))
    }
    await eventually(texts, ([text]) => text === DKIM)

    await button(page, 'Delete TXT of sel._domainkey').click()
    await page.getByText('TXT of sel._domainkey was deleted.').waitFor()
    await row(page, 'sel._domainkey').waitFor({ state: 'detached' })
    await eventually(texts, ({ length }) => length === 0)
    await button(page, 'Undo').click()
    await row(page, 'sel._domainkey').waitFor()
    expect((await eventually(texts, ({ length }) => length > 0))[0]).toBe(DKIM)

    await page.getByRole('link', { name: 'History' }).click()
    const undone = page.getByRole('listitem').filter({ hasText: 'Record deleted' })
    await undone.getByText('Undone', { exact: true }).waitFor()
    await undone.getByText(`TXT of sel._domainkey.${HOME}`).waitFor()
    await watched.close()
  })

  test('a zone file is checked by its lines and imported, and another page sees it live', async () => {
    const [watched, other] = [await openFor(rea), await openFor(rea)]
    const { page } = watched
    await openRecords(page, SHOP)
    await openRecords(other.page, SHOP)
    await page.getByRole('list', { name: 'Frequent records' }).waitFor()
    await button(page, 'Import').click()
    await field(page, 'Or paste lines').fill('@ IN SOA a. b. 1 2 3 4 5\nwww IN CNAME two words\n')
    await dialog(page).getByRole('button', { name: 'Check' }).click()
    await dialog(page)
      .getByText(/^Some lines are wrong/)
      .waitFor()
    await field(page, 'Or paste lines').fill(
      '@ IN SOA a. b. 1 2 3 4 5\nwww IN CNAME www.example.com.\n@ 300 IN CAA 0 issue "letsencrypt.org"\n',
    )
    await dialog(page).getByRole('button', { name: 'Check' }).click()
    await dialog(page)
      .getByText(/2 records added/)
      .waitFor()
    await dialog(page).getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByText('Imported: 2 records added.').waitFor()
    await row(page, 'www').waitFor()
    await answered(`www.${SHOP}`, 'CNAME', 'www.example.com')
    await row(other.page, 'www').waitFor()
    const download = page.waitForEvent('download')
    await button(page, 'Export').click()
    expect((await download).suggestedFilename()).toBe(`${SHOP}.zone`)
    await other.close()
    await watched.close()
  })

  test('axe finds nothing and nothing is cut off, at any width and in both schemes', async () => {
    const names = ['a', 'b'].map((label) => `${label}.of-rea.homing.test`)
    await addNames(rea, names)
    const [fqdn = ''] = names
    const watched = await openFor(rea)
    const { page } = watched
    const findings: string[] = []
    const look = async (where: string) => {
      findings.push(...(await lookFindings(page, `records-${where}`)))
    }
    await openRecords(page, fqdn)
    await page.getByRole('list', { name: 'Frequent records' }).waitFor()
    await look('empty')
    await button(page, 'Add Record').click()
    await field(page, 'Type').selectOption('TLSA')
    await field(page, 'Name').fill('_25._tcp')
    await button(page, 'Add another certificate').click()
    await field(page, 'Data').first().fill('00')
    await field(page, 'Data').last().fill('zz')
    await dialog(page).getByRole('alert').first().waitFor()
    await look('form')
    await button(page, 'Cancel').click()
    await button(page, 'Import').click()
    const lines = ['@ IN SOA a. b. 1 2 3 4 5', '@ IN A 192.0.2.1', 'x IN MX ten mail', 'y IN DS 1']
    await field(page, 'Or paste lines').fill(lines.join('\n'))
    await dialog(page).getByRole('button', { name: 'Check' }).click()
    await dialog(page).getByRole('region', { name: 'Lines' }).waitFor()
    await look('import')
    const more = Array.from({ length: 60 }, (_, n) => `t${n} 300 IN TXT "${n}"`)
    await field(page, 'Or paste lines').fill(
      [
        ...more,
        `sel._domainkey IN TXT "${DKIM.slice(0, 250)}" "${DKIM.slice(250)}"`,
        ...[1, 2, 3, 4, 5, 6].map((n) => `@ IN MX ${n}0 mx${n}.mail.example.com.`),
        `${'very-long-label-'.repeat(3)}.${'another-long-label-'.repeat(3)} IN TXT "long"`,
      ].join('\n'),
    )
    await dialog(page).getByRole('button', { name: 'Check' }).click()
    await dialog(page).getByRole('button', { name: 'Import', exact: true }).click()
    await dialog(page).waitFor({ state: 'detached' })
    await dismiss(page)
    await look('list')
    await page.getByRole('searchbox', { name: 'Search names and values' }).fill('.mail')
    await button(page, 'Next').waitFor({ state: 'detached' })
    await page.getByRole('checkbox', { name: /^Select MX/ }).check()
    await look('selected')
    await button(page, 'Clear').click()
    await page.getByRole('searchbox', { name: 'Search names and values' }).fill('')
    await button(page, 'Edit TXT of sel._domainkey').click()
    await dialog(page).waitFor()
    await look('edit')
    await button(page, 'Cancel').click()
    await page.getByRole('link', { name: 'History' }).click()
    await page.getByText('Record added').first().waitFor()
    await look('history')
    expect(findings).toEqual([])
    await watched.close()
  })

  test('a record is found, added, changed and deleted by the keyboard alone', async () => {
    const watched = await openFor(rea)
    const { page } = watched
    await openRecords(page, HOME)
    await page.getByRole('row').filter({ hasText: 'mail.example.com' }).waitFor()
    await page.keyboard.press('c')
    await field(page, 'Type').waitFor()
    await field(page, 'Name').press('Control+A')
    await page.keyboard.type('keys')
    await page.keyboard.press('Tab')
    await page.keyboard.type('by keyboard')
    await dialog(page)
      .getByText(/^DNS will answer/)
      .waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await row(page, 'keys').waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('keys')
    await page.waitForFunction(() => location.hash.includes('q=keys'))
    await row(page, 'keys')
      .getByRole('button', { name: /^Delete/ })
      .focus()
    await page.keyboard.press('Enter')
    await page.getByText('TXT of keys was deleted.').waitFor()
    await page.getByText('No record matches the search and the type.').waitFor()
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('records-title')
    await watched.close()
  })

  test('a free account has TXT records, and sees what larger plans have', async () => {
    const flo = await registerAccount(world().stack, 'flo-screens')
    const fqdn = 'home.of-flo.homing.test'
    await addNames(flo, [fqdn])
    const watched = await openFor(flo)
    const { page } = watched
    await openRecords(page, fqdn)
    await page.getByText(/^0 of 10 TXT values/).waitFor()
    await page.getByRole('link', { name: 'Pro has every type, and 1,000 records' }).waitFor()
    await button(page, /^Verify a domain for a certificate/).click()
    expect(hashOf(page)).toContain('dialog=add-record&id=certificate')
    await field(page, 'Text').fill('one')
    await field(page, 'TTL in seconds').fill('60')
    await dialog(page).getByRole('alert').waitFor()
    await field(page, 'TTL in seconds').fill('')
    await dialog(page).getByRole('button', { name: 'Add Record' }).click()
    await page.getByText(/^1 of 10 TXT values/).waitFor()
    await button(page, 'Dismiss').click()
    const found = await findingsInBothSchemes(page, [PHONE, DESKTOP], (scheme, { width }) =>
      picture(page, `records-free-${scheme}-${width}`),
    )
    expect(found).toEqual([])
    await watched.close()
  })
})
