/** The public pages as the service writes them. */
import { TERMS_VERSION } from '@homing/openapi/vocabulary'
import type { SiteFrame, SitePageData, SitePageName } from '@homing/openapi/site'
import { expect, test } from 'vitest'
import { pageMarkup } from './page-markup.tsx'
import type { SitePlan } from './pricing/plan-prices.ts'

const ASSETS = {
  style: '/assets/s.css',
  start: '/assets/start.js',
  landing: '/assets/landing.js',
  pricing: '/assets/pricing.js',
}
const FRAME: SiteFrame = {
  productName: 'Ada & Söhne',
  operator: {
    name: 'Ada Networks',
    address: 'Street 1, Town',
    supportEmail: 'help@ada.test',
    abuseEmail: 'abuse@ada.test',
  },
  origin: 'https://dns.ada.test',
  isSignedIn: false,
}
const PLAN = {
  ttl: 60,
  stealth_flag_limit: 0,
  monitor_interval: 60,
  record_limit: 10,
  record_types: 'txt' as const,
  abilities: [],
  currency: 'USD',
}
const PLANS: readonly SitePlan[] = [
  { ...PLAN, id: 'free', domain_limit: 5, price_month_cents: 0, price_year_cents: 0 },
  { ...PLAN, id: 'pro', domain_limit: 100, price_month_cents: 1_000, price_year_cents: 11_000 },
]
const retention = {
  session: 30,
  sessionLimit: 91,
  unverifiedAccount: 7,
  signIns: 92,
  knownNetworks: 60,
  updateCalls: 33,
  history: 400,
  usedLinks: 8,
  accountGrace: 14,
  nameReservation: 31,
}

function pageOf<Page extends SitePageName>(
  page: Page,
  data: Omit<SitePageData<Page>, keyof SiteFrame>,
  frame: Partial<SiteFrame> = {},
): Document {
  const whole = { ...FRAME, ...data, ...frame } as SitePageData<Page>
  return new DOMParser().parseFromString(pageMarkup(page, whole, ASSETS), 'text/html')
}
const BOTH = { card: true, paypal: true }
const landing = {
  plans: PLANS,
  canPay: true,
  zones: ['ada.test', 'b.test'],
  address: '2001:db8::7',
}

test('nothing is inline, and every file is ours', () => {
  const pages = [
    pageOf('landing', landing),
    pageOf('pricing', { plans: PLANS, paymentMethods: BOTH }),
    pageOf('terms', { plans: PLANS, retention }),
    pageOf('privacy', { retention, captcha: 'altcha' }),
    pageOf('not-found', {}),
  ]
  for (const page of pages) {
    expect(page.querySelectorAll('[style], style, script:not([src])')).toHaveLength(0)
    const files = Array.from(page.querySelectorAll('script, link'), (each) =>
      each.getAttribute(each.localName === 'script' ? 'src' : 'href'),
    )
    expect(files.filter((file) => !file?.startsWith('/'))).toEqual([])
    expect(page.querySelectorAll('h1')).toHaveLength(1)
    expect(page.title).toContain('Ada & Söhne')
  }
})

test('the landing page shows the address, and its form needs no script', () => {
  const page = pageOf('landing', landing)
  expect(page.querySelector('#own-address')?.textContent).toBe('2001:db8::7')
  const form = page.querySelector('form')
  expect([form?.getAttribute('action'), form?.getAttribute('method')]).toEqual(['/register', 'get'])
  const zones = Array.from(form?.querySelectorAll('option') ?? [], (each) => each.textContent)
  expect(zones).toEqual(['ada.test', 'b.test'])
})

test('the header leads visitors to the sign-in, and others to the dashboard', () => {
  const links = (isSignedIn: boolean) =>
    Array.from(
      pageOf('landing', landing, { isSignedIn }).querySelectorAll('header nav a'),
      (each) => `${each.textContent} ${each.getAttribute('href')}`,
    )
  expect(links(false)).toEqual(['Pricing /pricing', 'Login /login', 'Register /register'])
  expect(links(true)).toEqual(['Pricing /pricing', 'Dashboard /#dashboard'])
})

test('the pricing page has both prices and the savings', () => {
  const { body } = pageOf('pricing', { plans: PLANS, paymentMethods: BOTH })
  expect(body.textContent).toContain('$10 per month')
  expect(body.textContent).toContain('$110 per year')
  expect(body.textContent).toContain('Annual saves $10 with Pro.')
  expect(body.textContent).toContain('7-day money-back guarantee. Cancel anytime.')
  expect(body.textContent).toContain('You pay by card or with PayPal.')
  const byCard = pageOf('pricing', { plans: PLANS, paymentMethods: { card: true, paypal: false } })
  expect(byCard.body.textContent).toContain('You pay by card. Prices include tax.')
})

test('a plan leads visitors to the registration and others to the checkout, with the billing cycle', () => {
  const links = (isSignedIn: boolean) =>
    Array.from(
      pageOf('pricing', { plans: PLANS, paymentMethods: BOTH }, { isSignedIn }).querySelectorAll(
        '.plan-card a',
      ),
      (each) => `${each.textContent} ${each.getAttribute('href')}`,
    )
  expect(links(false)).toEqual([
    'Create a free account /register',
    'Choose Pro /register?plan=pro&billing=monthly',
    'Choose Pro /register?plan=pro&billing=annual',
  ])
  expect(links(true)).toEqual([
    'Choose Pro /payment?plan=pro&billing=monthly',
    'Choose Pro /payment?plan=pro&billing=annual',
  ])
})

test('without a payment provider, plans are shown and cannot be chosen', () => {
  const free = pageOf('pricing', { plans: PLANS, paymentMethods: { card: false, paypal: false } })
  const cards = Array.from(free.querySelectorAll('.plan-card'))
  expect(cards.map((card) => card.querySelector('a')?.textContent)).toEqual([
    'Create a free account',
    undefined,
  ])
  expect(cards[1]?.textContent).toContain('$10 per month')
  expect(cards[1]?.textContent).toContain('Payments are not available on this service.')
})

test('the privacy policy has the retention of the service, the operator and the date', () => {
  const page = pageOf('privacy', { retention, captcha: 'turnstile' })
  const text = page.body.textContent
  for (const said of ['91 days', '92 days', '33 days', '8 days', 'Ada Networks', 'Cloudflare']) {
    expect(text).toContain(said)
  }
  expect(text).toContain('__Host-homing_session')
  expect(page.querySelector('time')?.getAttribute('datetime')).toBe(TERMS_VERSION)
})

test('the terms say that keys work until a deleted account is gone', () => {
  const text = pageOf('terms', { plans: PLANS, retention }).body.textContent
  expect(text).toMatch(/Its sessions end at once\. For \d+ days, .* update tokens still work\./)
})

test('the documents make sense without details of the operator', () => {
  const { supportEmail, abuseEmail } = FRAME.operator
  const page = pageOf(
    'terms',
    { plans: PLANS, retention },
    { operator: { supportEmail, abuseEmail } },
  )
  expect(page.body.textContent).not.toContain('undefined')
  for (const address of [supportEmail, abuseEmail])
    expect(page.querySelector(`a[href^="mailto:${address}"]`)).not.toBeNull()
})

test('the page of an error has the request id', () => {
  const error = { status: 500, title: 'Internal server error', detail: 'Sorry.', requestId: 'r-1' }
  expect(pageOf('error', error).body.textContent).toContain('Request id: r-1')
})
