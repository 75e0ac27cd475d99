/// <reference lib="dom" />
/**
 * The life of a subscription in Chromium, by card and by PayPal, with payment servers of our own: pricing → register → checkout →
 * pay → upgrade → cancel → resume → failed payment → grace → end → domains withheld → pay again → restored.
 */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFailed, test } from 'vitest'
import { needs } from '../../test/outside-tool.ts'
import { type Account, addNames, signIn } from '../support/accounts.ts'
import {
  buildScreen,
  DESKTOP,
  PHONE,
  resize,
  sharedPages,
  type WatchedPage,
} from '../support/browser.ts'
import { button, dialog, passwordField, picture, takeSession } from '../support/dashboard.ts'
import { addressesOf } from '../support/dns.ts'
import { messagesTo } from '../support/mailbox.ts'
import type { PaymentWorld, Shop } from '../support/payments.ts'
import { eventually } from '../support/stack.ts'

const BILLING = {
  'First name': 'Ada',
  'Last name': 'Lovelace',
  Address: '12 Example Street',
  City: 'Springfield',
  'State or region': 'IL',
  'ZIP or postal code': '62701',
} as const
const FREE_LIMIT = 5
const GRACE_DAYS = 14
/** The worker looks at the clock once a minute. */
const CLOCK_LIMIT_MS = 90_000

interface Way {
  readonly method: 'Card' | 'PayPal'
  /** The button that pays on the page of the provider. */
  readonly pays: string
  /** Makes renewals fail. */
  readonly breaks: (payments: PaymentWorld) => void
  /** A day on which the renewal has failed, and its time of grace lasts. PayPal's credit moves the first payment of an upgrade. */
  readonly lateDay: number
  /** Whether an upgrade is approved on the page of the provider. */
  readonly approvesUpgrade: boolean
}

const WAYS: readonly Way[] = [
  {
    method: 'Card',
    pays: 'Pay',
    breaks: ({ stripe }) => {
      for (const { id } of stripe.world.all('customer')) stripe.cardsOf(id, 'declines')
    },
    lateDay: 33,
    approvesUpgrade: false,
  },
  {
    method: 'PayPal',
    pays: 'Agree & Subscribe',
    breaks: ({ paypal }) => {
      for (const id of paypal.world.agreements.keys()) paypal.payerOf(id, 'declines')
    },
    lateDay: 15,
    approvesUpgrade: true,
  },
]

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

export function testJourney(shop: () => Shop): void {
  beforeAll(() => buildScreen('dashboard'))
  describe.each(WAYS)('a subscription by $method', needs('chromium'), (way) => {
    // Names of payment services are reserved.
    const username = way.method === 'Card' ? 'payer-one' : 'payer-two'
    const password = `the password of ${username}`
    const names = Array.from(
      { length: FREE_LIMIT + 2 },
      (_, at) => `n${at}.of-${username}.homing.test`,
    )
    const newest = names.at(-1) ?? ''
    let watched: WatchedPage
    let account: Account

    beforeAll(async () => {
      // The host of `PUBLIC_URL`, to which providers and mails lead.
      const baseURL = shop().stack.url.replace('127.0.0.1', 'localhost')
      watched = await (await sharedPages()).open({ baseURL, isFresh: true })
      // Pages of the payment servers have no icon.
      for (const status of [401, 404]) watched.expectStatus('/favicon.ico', status)
      // The clock of the service moves on: the card of DNS queries asks for a plan that has ended meanwhile. It then has no line.
      for (const status of [0, 403]) watched.expectStatus('/api/dns-stats/series', status)
      // The moved clock also ends the session of the page at last.
      watched.expectStatus(/^\/api\//, 401)
    })
    afterAll(async () => (await sharedPages()).endPagesInUse())

    /** Takes a picture at two widths. */
    async function pictures(name: string): Promise<void> {
      const { page } = watched
      for (const size of [PHONE, DESKTOP]) {
        await resize(page, size)
        await picture(page, `payments-${way.method.toLowerCase()}-${name}-${size.width}`)
      }
    }

    /** Opens the plan in the settings, with a session of now. */
    async function openPlan(): Promise<void> {
      const { page } = watched
      await takeSession(page, new URL(page.url()).origin, { username, password })
      await page.goto('/#dashboard')
      await page.reload()
      await page.goto('/#settings/plan')
      await heading(page, 'Current Plan').waitFor()
    }

    const badge = (text: string) => watched.page.getByText(text, { exact: true }).first().waitFor()
    const stateIs = (sentence: RegExp) => watched.page.getByText(sentence).first().waitFor()

    /** Fills the checkout in, and pays on the page of the provider. */
    async function payCheckout(): Promise<void> {
      const { page } = watched
      await heading(page, 'Complete Your Subscription').waitFor()
      for (const [label, text] of Object.entries(BILLING)) await page.getByLabel(label).fill(text)
      await page.getByRole('radio', { name: new RegExp(`^${way.method}`) }).check()
      await button(page, /^Subscribe for/).click()
      await payAtProvider()
    }

    async function payAtProvider(): Promise<void> {
      const { page } = watched
      await button(page, way.pays).click()
      await heading(page, 'Payment Successful!').waitFor({ timeout: 30_000 })
      await button(page, 'Stay on This Page').click()
    }

    const served = (fqdn: string, isServed: boolean, limitMs?: number) =>
      eventually(
        () => addressesOf(shop().stack.dnsPort, fqdn, 'A'),
        (addresses) => addresses.length > 0 === isServed,
        limitMs,
      )

    /** A visitor chooses a plan, registers, pays, and has it at once. */
    async function visitorBuys(): Promise<void> {
      const { page } = watched
      await page.goto('/pricing')
      await page.getByRole('link', { name: 'Choose Pro' }).locator('visible=true').first().click()
      await page.getByLabel('Username').fill(username)
      await page.getByLabel('Email').fill(`${username}@mail.example`)
      await passwordField(page).fill(password)
      await page.getByRole('checkbox').check()
      await button(page, 'Sign Up').click()
      await heading(page, 'Check Your Email').waitFor()
      const [mail] = await eventually(
        () => messagesTo(shop().stack.dataDir, `${username}@mail.example`),
        (mails) => mails.length > 0,
      )
      const token = /verify-email\/([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? ''
      await page.goto(`/#verify-email/${token}`)
      await heading(page, 'Email Verified!').waitFor()
      await heading(page, 'Sign in').waitFor()
      await page.getByLabel('Username or email').fill(username)
      await passwordField(page).fill(password)
      await passwordField(page).press('Enter')
      await heading(page, 'Complete Your Subscription').waitFor()
      await page.getByLabel('First name').waitFor()
      await pictures('checkout')
      await payCheckout()
      await pictures('success')
      await button(page, 'Go to Dashboard').click()
      await badge('PRO PLAN')
      account = await signIn(shop().stack, username, password)
      // One after the other: the oldest ones stay when the plan becomes smaller.
      for (const name of names) await addNames(account, [name])
      await served(newest, true)
    }

    /** An upgrade begins at once, and the unused time is credited. */
    async function upgrades(): Promise<void> {
      const { page } = watched
      await openPlan()
      await button(page, 'Upgrade to Elite').click()
      await dialog(page).getByText('Credit for unused time').waitFor()
      await pictures('upgrade')
      await dialog(page)
        .getByRole('button', { name: /Change Plan|Continue/ })
        .click()
      if (way.approvesUpgrade) {
        await payAtProvider()
        await openPlan()
      }
      await badge('ELITE PLAN')
      await page.getByText('Subscription Management').waitFor()
    }

    /** A cancelled subscription keeps the plan, and is resumed. */
    async function cancelsAndResumes(): Promise<void> {
      const { page } = watched
      await button(page, 'Cancel Subscription').first().click()
      await dialog(page).getByText('Are you sure you want to cancel').waitFor()
      await dialog(page).getByRole('button', { name: 'Cancel Subscription' }).click()
      await button(page, 'Resume Subscription').waitFor()
      await pictures('cancelled')
      await badge('ELITE PLAN')
      await button(page, 'Resume Subscription').click()
      await button(page, 'Cancel Subscription').waitFor()
    }

    /** A payment that fails leaves a time of grace, and then the plan ends. */
    async function failsAndEnds(): Promise<void> {
      way.breaks(shop().payments)
      await shop().payments.passDays(way.lateDay)
      const current = async () => (await fresh()).api.GET('/api/subscription/current')
      const { data: late } = await eventually(current, ({ data }) => data?.status === 'past_due')
      expect(late).toMatchObject({ isInGracePeriod: true, plan: 'elite' })
      await openPlan()
      await stateIs(/Grace period until/)
      await pictures('grace')
      await served(newest, true)

      await shop().payments.passDays(GRACE_DAYS + 1)
      await eventually(current, ({ data }) => data?.hasSubscription === false, CLOCK_LIMIT_MS)
      await served(newest, false, CLOCK_LIMIT_MS)
      await served(names[0] ?? '', true)
      await openPlan()
      await badge('FREE PLAN')
      await pictures('ended')
      const { data: domains = [] } = await (await fresh()).api.GET('/api/domains')
      expect(domains).toHaveLength(names.length)
      expect(domains.filter(({ withheld_by }) => withheld_by.includes('over_limit'))).toHaveLength(
        names.length - FREE_LIMIT,
      )
    }

    /** A new payment restores everything. */
    async function paysAgain(): Promise<void> {
      const { page } = watched
      await page.goto('/#payment?plan=pro&billing=annual')
      await payCheckout()
      await button(page, 'Go to Dashboard').click()
      await badge('PRO PLAN')
      await served(newest, true)
      await watched.close()
    }

    test('lives from the pricing page to its return', async () => {
      onTestFailed(() => picture(watched.page, `payments-${way.method.toLowerCase()}-failed`))
      await visitorBuys()
      await upgrades()
      await cancelsAndResumes()
      await failsAndEnds()
      await paysAgain()
      const invoices = (await (await fresh()).api.GET('/api/payments/invoices')).data ?? []
      const paid = invoices.filter(({ kind, status }) => kind === 'invoice' && status === 'paid')
      expect(paid.length).toBeGreaterThanOrEqual(2)
      expect(shop().payments.stripe.deliveries.lost).toEqual([])
      expect(shop().payments.paypal.deliveries.lost).toEqual([])
    }, 300_000)

    /** A session that has not ended by the moved clock. */
    const fresh = () => signIn(shop().stack, username, password)
  })
}
