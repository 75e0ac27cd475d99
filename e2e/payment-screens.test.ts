/// <reference lib="dom" />
/**
 * What users and administrators see of payments, in Chromium on the real service: at three widths, in both colour schemes, with
 * axe, and by keyboard. The payment servers of the tests sell one subscription; the database gets its later states.
 */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { needs } from '../test/outside-tool.ts'
import { type Account, registerAccount, signInAdministrator } from './support/accounts.ts'
import { buildScreen, DESKTOP, PHONE, sharedPages, type WatchedPage } from './support/browser.ts'
import {
  button,
  dialog,
  loadAt,
  picture,
  takeSession,
  untilFocused,
  useSharedDashboard,
} from './support/dashboard.ts'
import { lookFindings } from './support/look.ts'
import { testPlans } from './payment-screens/plans.ts'
import { addInvoices, fillOffice, setSubscription } from './support/payment-states.ts'
import { useShop } from './support/payments.ts'
import { eventually, type Stack } from './support/stack.ts'

/** Of the page, as Chromium measures it. */
const SHIFT_LIMIT = 0.02
const NO_PAYMENTS = /^Payments are not available on this service\./
const BILLING = {
  firstName: 'Augusta Ada',
  lastName: 'King, Countess of Lovelace',
  email: 'augusta.ada.king.countess.of.lovelace@mail.example',
  address: '12 Example Street',
  city: 'Springfield',
  state: 'IL',
  zipCode: '62701',
  country: 'US',
}

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })

/** How far the content of the page moved while it loaded. */
async function layoutShift(): Promise<number> {
  await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)))
  const observer = new PerformanceObserver(() => undefined)
  observer.observe({ type: 'layout-shift', buffered: true })
  const shifts = observer.takeRecords() as unknown as { readonly value: number }[]
  return shifts.reduce((sum, { value }) => sum + value, 0)
}

const shop = useShop()

describe('the screens of payments', needs('chromium'), () => {
  let stack: Stack
  let pat: Account
  let pia: Account

  beforeAll(async () => {
    for (const room of ['dashboard', 'admin'] as const) buildScreen(room)
    stack = shop().stack
    ;[pat, pia] = await Promise.all([
      registerAccount(stack, 'pat-screens'),
      registerAccount(stack, 'pia-screens'),
    ])
    const { data } = await pat.api.POST('/api/payments/create-checkout-session', {
      body: { plan: 'pro', billing: 'annual', provider: 'stripe', billingDetails: BILLING },
    })
    await shop().payments.stripe.pay(data?.checkoutUrl ?? '')
    const invoices = async () => (await pat.api.GET('/api/payments/invoices')).data ?? []
    await eventually(invoices, ([first]) => first?.status === 'paid')
    await addInvoices(stack, pat.username)
    await fillOffice(stack)
  })
  afterAll(async () => {
    await (await sharedPages()).endPagesInUse()
  })

  const open = async (hash: string, account?: Account, isFresh = false): Promise<WatchedPage> => {
    const watched = await (await sharedPages()).open({ baseURL: stack.url, isFresh })
    if (account === undefined) watched.expectStatus('/api/me', 401)
    else await takeSession(watched.page, stack.url, account)
    await watched.page.goto(`/${hash}`)
    return watched
  }
  const go = async (page: Page, hash: string, name: string | RegExp) => {
    await loadAt(page, hash)
    await heading(page, name).waitFor()
  }

  test('the checkout: its errors are announced, and the first invalid field gets the focus', async () => {
    const watched = await open('#payment?plan=pro&billing=annual', pia)
    const { page } = watched
    const line = button(page, /^Show order summary/)
    await button(page, 'Subscribe for $110/year').waitFor()
    const findings = await lookFindings(page, 'checkout')
    await page.setViewportSize(PHONE)
    await line.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('radio', { name: /^Monthly/ }).check()
    await button(page, /^Hide order summary/)
      .getByText('$10.00')
      .waitFor()
    findings.push(...(await lookFindings(page, 'checkout-summary')))
    await button(page, /^Subscribe/).press('Enter')
    await untilFocused(page.getByLabel('First name'))
    await page.getByRole('alert').getByText('Please fill in first name').waitFor()
    findings.push(...(await lookFindings(page, 'checkout-errors')))
    expect(findings).toEqual([])
    await watched.close()
  })

  test('nothing moves while the checkout loads', async () => {
    const watched = await open('#dashboard', pia)
    const { page } = watched
    await heading(page, 'Dashboard').waitFor()
    for (const size of [PHONE, DESKTOP]) {
      await page.setViewportSize(size)
      const gate = Promise.withResolvers<void>()
      await page.route('**/api/subscription/current', async (route) => {
        await gate.promise
        await route.continue()
      })
      await page.goto('/#payment?plan=pro&billing=annual')
      await page.reload()
      await page.locator('.checkout-skeleton').waitFor()
      // A picture of the whole page would move it.
      await picture(page, `checkout-loading-${size.width}`)
      gate.resolve()
      await button(page, /^Subscribe/).waitFor()
      expect(await page.evaluate(layoutShift)).toBeLessThanOrEqual(SHIFT_LIMIT)
      await page.unroute('**/api/subscription/current')
    }
    await watched.close()
  })

  test('after the payment: confirmed, not confirmed yet, without a session, and cancelled', async () => {
    // By the path to which providers lead, in a browser that has a session and nothing else.
    const watched = await open('payment-success?session_id=cs_test_none', pat)
    const { page } = watched
    await heading(page, 'Payment Successful!').waitFor()
    await button(page, 'Stay on This Page').focus()
    await page.keyboard.press('Enter')
    await page.getByText(/^Redirecting/).waitFor({ state: 'detached' })
    const findings = await lookFindings(page, 'success')
    await go(page, '#payment-cancelled?plan=pro&billing=annual', 'Payment Cancelled')
    await page.getByRole('link', { name: 'Contact Support' }).waitFor()
    findings.push(...(await lookFindings(page, 'cancelled')))
    await watched.close()

    const waiting = await open('#dashboard', pia, true)
    await heading(waiting.page, 'Dashboard').waitFor()
    await waiting.page.clock.install()
    await go(waiting.page, '#payment-success?session_id=cs_test_none', 'Confirming your payment')
    findings.push(...(await lookFindings(waiting.page, 'confirming')))
    await waiting.page.clock.fastForward(31_000)
    await heading(waiting.page, 'Payment received').waitFor()
    findings.push(...(await lookFindings(waiting.page, 'unconfirmed')))
    await waiting.close()

    const visitor = await open('#payment-success?session_id=cs_test_none')
    await visitor.page.getByText('Payment received. Sign in.').waitFor()
    findings.push(...(await lookFindings(visitor.page, 'signed-out')))
    expect(findings).toEqual([])
    await visitor.close()
  })

  test('the plan: every state of a subscription, its dialogs, and its invoices', async () => {
    await setSubscription(stack, pat.username, { state: 'active', isRefundable: true })
    const watched = await open('#settings/plan', pat)
    const { page } = watched
    const invoices = page.getByRole('region', { name: 'Invoices' }).first()
    await invoices.getByRole('link', { name: 'H-2026-900001' }).waitFor()
    const findings = await lookFindings(page, 'plan-active')
    for (const [name, opener, shown] of [
      ['change', 'Upgrade to Elite', 'Credit for unused time'],
      ['cancel', 'Cancel Subscription', /^Are you sure/],
      ['refund', 'Get a Refund', /^Your first payment is refunded/],
    ] as const) {
      await button(page, opener).click()
      await dialog(page).getByText(shown).waitFor()
      findings.push(...(await lookFindings(page, `dialog-${name}`)))
      await page.keyboard.press('Escape')
      await dialog(page).waitFor({ state: 'detached' })
      await untilFocused(button(page, opener))
    }
    const paypal = { provider: 'paypal', paymentMethod: 'PayPal (a…@mail.example)' } as const
    for (const [name, shown, state] of [
      ['canceled', /^You keep all features until/, { state: 'canceled', endsInDays: 9 }],
      ['past-due', 'Your last payment failed', { state: 'past_due', endsInDays: 13 }],
      ['disputed', /^A payment is disputed/, { state: 'disputed' }],
      [
        'paypal',
        /PayPal \(a…@mail\.example\)/,
        { ...paypal, state: 'active', hasPendingChange: true },
      ],
    ] as const) {
      await setSubscription(stack, pat.username, state)
      await page.reload()
      await page.getByText(shown).first().waitFor()
      findings.push(...(await lookFindings(page, `plan-${name}`)))
    }
    await page.getByRole('link', { name: 'H-2026-900002' }).click()
    await heading(page, 'Invoice').waitFor()
    findings.push(...(await lookFindings(page, 'invoice')))
    await page.emulateMedia({ media: 'print' })
    await picture(page, 'invoice-print', true)
    await page.emulateMedia({ media: 'screen' })
    await go(page, '#invoice/999999', 'Invoice not found')
    findings.push(...(await lookFindings(page, 'invoice-none')))
    expect(findings).toEqual([])
    await watched.close()
  })

  test('the back office: subscriptions, their refunds, events and the ledger; and a complimentary plan', async () => {
    const boss = await signInAdministrator(stack)
    const watched = await open('admin/subscriptions', boss)
    const { page } = watched
    await page.getByRole('link', { name: 'I-BW452GLLEP1G' }).waitFor()
    const findings = await lookFindings(page, 'office-subscriptions')
    await button(page, /^Refund sub_/)
      .first()
      .click()
    await dialog(page).getByLabel('Reason').fill('Two days down.')
    findings.push(...(await lookFindings(page, 'office-refund')))
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
    await page.goto('/admin/payment-events')
    await page.getByText('PAYMENT.SALE.COMPLETED').waitFor()
    findings.push(...(await lookFindings(page, 'office-events')))
    await page.goto('/admin/ledger')
    await page.getByText('PP-R-KAK-10117450').waitFor()
    findings.push(...(await lookFindings(page, 'office-ledger')))
    await watched.close()

    const { data: me } = await pia.api.GET('/api/me')
    const path = { id: me?.id ?? '' }
    await boss.api.PUT('/api/admin/users/{id}', {
      params: { path },
      body: { account_type: 'elite' },
    })
    const gifted = await open('#settings/plan', pia)
    await gifted.page.getByText(/^An administrator gave you/).waitFor()
    findings.push(...(await lookFindings(gifted.page, 'plan-complimentary')))
    expect(findings).toEqual([])
    await gifted.close()
  })
})

testPlans(() => shop().stack)

describe('a service without payment providers', needs('chromium'), () => {
  const world = useSharedDashboard()

  test('shows its plans, and says where a user would pay that payments are not available', async () => {
    const pip = await registerAccount(world().stack, 'pip-screens')
    const watched = await world().openFor(pip)
    const { page } = watched
    await page.goto('/#payment?plan=pro&billing=annual')
    await page.getByText(NO_PAYMENTS).waitFor()
    await page.getByRole('link', { name: 'Contact Support' }).waitFor()
    const findings = await lookFindings(page, 'checkout-none')
    await page.goto('/#settings/plan')
    await page.getByText(NO_PAYMENTS).waitFor()
    findings.push(...(await lookFindings(page, 'plan-none')))
    await page.goto('/pricing')
    expect(await page.getByText(NO_PAYMENTS).count()).toBe(2)
    expect(await page.getByRole('link', { name: /^Choose/ }).count()).toBe(0)
    await picture(page, 'pricing-none', true)
    expect(findings).toEqual([])
    await watched.close()
  })
})
