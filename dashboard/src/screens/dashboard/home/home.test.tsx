/** The strip of figures, the first steps, what needs attention, and what larger plans add. */
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'
import { domain, serveDomains } from '../../../../test/domains.ts'
import { forward, serveForwards, usageOf } from '../../../../test/forwards.ts'
import { exampleOf, mock, ok, problem } from '../../../../test/mock.ts'
import { notice, serveNotices } from '../../../../test/notices.ts'
import { series } from '../../../../test/queries.ts'
import { openDashboard } from '../../../../test/screen.tsx'

type Me = ReturnType<typeof exampleOf<'getMe'>>

const serveMe = (plan: Me['plan'], limits: Partial<Me['limits']> = {}) => {
  const example = exampleOf('getMe')
  mock.handle({
    getMe: () => ok({ ...example, plan, limits: { ...example.limits, ...limits } }),
  })
}

beforeEach(() => serveDomains(domain()))

test('each figure leads to what it counts', async () => {
  serveMe('free', { domain_count: 1, domain_limit: 5, ttl: 3_600 })
  openDashboard()
  const strip = within(await screen.findByRole('navigation', { name: 'Overview' }))
  const domains = strip.getByRole('link', { name: 'Active Domains 1 of 5 allowed' })
  expect(domains.getAttribute('href')).toBe('#dashboard?q=status%3Aactive')
  const ttl = strip.getByRole('link', {
    name: 'TTL 60 minutes in DNS caches',
  })
  expect(ttl.getAttribute('href')).toBe('#settings/plan')
  await waitFor(() => expect(strip.getAllByText(/^as of/)).toHaveLength(3))
})

describe('what needs attention', () => {
  test('has a line with its action for each notice, and can be dismissed', async () => {
    serveNotices(notice('updates-refused'), notice('keys-expiring'), notice('free-plan'))
    const hands = openDashboard()
    const list = within(await screen.findByRole('region', { name: 'Needs attention' }))
    const lines = list.getAllByRole('listitem').map(({ textContent }) => textContent)
    expect(lines).toEqual([
      'Attention: About updates-refused What to do.Settle it',
      'Attention: About keys-expiring What to do.Settle it',
    ])
    expect(list.getAllByRole('link')[0]?.getAttribute('href')).toBe('#settings/api-keys')
    await hands.click(list.getByRole('button', { name: 'Dismiss: About updates-refused' }))
    await waitFor(() => expect(list.getAllByRole('listitem')).toHaveLength(1))
    expect(document.activeElement?.id).toBe('attention-title')
    await hands.click(list.getByRole('button', { name: 'Dismiss: About keys-expiring' }))
    await waitFor(() =>
      expect(screen.queryByRole('region', { name: 'Needs attention' })).toBeNull(),
    )
    expect(document.activeElement?.id).toBe('domains-title')
  })

  test('is not dismissed where it must be settled', async () => {
    serveNotices(notice('domains-locked', { dismissable: false }))
    openDashboard()
    const list = within(await screen.findByRole('region', { name: 'Needs attention' }))
    expect(list.queryByRole('button')).toBeNull()
  })
})

test('the first steps show what is done, lead to the next one, and are hidden for good', async () => {
  const steps = [
    { label: 'Add a domain', is_done: true },
    { label: 'Set up your router or program', is_done: false },
    { label: 'DNS answers with your address', is_done: false },
  ]
  const action = { label: 'How to Update', url: '/#dashboard?dialog=how-to&id=42' }
  serveNotices(notice('first-steps', { title: 'First steps', severity: 'info', steps, action }))
  const hands = openDashboard()
  const list = within(await screen.findByRole('region', { name: 'First steps' }))
  expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Add a domain (done)',
    '2Set up your router or program',
    '3DNS answers with your address',
  ])
  const next = list.getByRole('link', { name: 'How to Update' })
  expect(next.getAttribute('href')).toBe('#dashboard?dialog=how-to&id=42')
  await hands.click(list.getByRole('button', { name: 'Hide' }))
  await waitFor(() => expect(screen.queryByRole('region', { name: 'First steps' })).toBeNull())
  expect(mock.calls.filter(({ id }) => id === 'dismissNotice')[0]?.params).toEqual({
    id: 'first-steps-1',
  })
})

test.each([
  ['free', [], ['Web forwarding', 'DNS analytics']],
  ['pro', ['web_forward', 'analytics'], ['Own zones and branded name servers']],
  ['elite', ['web_forward', 'analytics', 'vanity_ns'], []],
] as const)('the %s plan is offered what it lacks', async (plan, abilities, titles) => {
  serveMe(plan, { abilities: [...abilities] })
  openDashboard()
  await screen.findByRole('navigation', { name: 'Overview' })
  const offers = screen.queryByRole('region', { name: 'With a larger plan' })
  const headings = offers === null ? [] : within(offers).getAllByRole('heading')
  expect(headings.map(({ textContent }) => textContent)).toEqual(titles)
})

describe('web forwarding', () => {
  const panel = { name: 'Web Forwarding' }

  test('has its counters, the way to them, and an entry in the header', async () => {
    serveMe('pro', { abilities: ['web_forward'] })
    serveForwards({
      forwards: [
        forward(),
        forward({ id: '10', is_active: false }),
        forward({ id: '11', disabled_reason: 'phishing' }),
      ],
      usage: usageOf(10, 4),
    })
    const hands = openDashboard()
    const shown = await screen.findByRole('region', panel)
    await waitFor(() =>
      expect(shown.textContent).toContain('Active Forwards1 of 3Stealth Flags4 of 10 used'),
    )
    const main = within(screen.getByRole('navigation', { name: 'Main' }))
    expect(main.getByRole('link', panel)).toHaveProperty('hash', '#webforward')
    await hands.click(within(shown).getByRole('link', { name: 'Manage web forwards' }))
    expect(await screen.findByRole('heading', { level: 1, ...panel })).toBeDefined()
  })

  test('says why it cannot be counted, and retries', async () => {
    serveMe('pro', { abilities: ['web_forward'] })
    mock.handle({ listWebForwards: () => problem('forbidden', { detail: 'You may not do this.' }) })
    const hands = openDashboard()
    const shown = within(await screen.findByRole('region', panel))
    expect((await shown.findByRole('alert')).textContent).toContain('You may not do this.')
    serveForwards({ forwards: [forward()] })
    await hands.click(shown.getByRole('button', { name: 'Retry' }))
    expect(await shown.findByText('of 1')).toBeDefined()
  })

  test('is an offer on the free plan', async () => {
    serveMe('free', { abilities: [] })
    openDashboard()
    const offers = within(await screen.findByRole('region', { name: 'With a larger plan' }))
    expect(offers.getByRole('heading', { name: 'Web forwarding' })).toBeDefined()
    expect(screen.queryByRole('region', panel)).toBeNull()
    const main = within(screen.getByRole('navigation', { name: 'Main' }))
    expect(main.queryByRole('link', panel)).toBeNull()
  })
})

describe('DNS queries', () => {
  const link = (name: RegExp) => screen.findByRole('link', { name })

  test('have a period in the URL, and a trend in words', async () => {
    serveMe('free')
    const hands = openDashboard('#dashboard?q=home')
    const day = await link(/^DNS Queries 1\.8K up 4\.2% compared with the 24 hours before$/)
    expect(day.getAttribute('href')).toBe('#analytics?period=24h')
    const select = screen.getByRole('combobox', { name: 'Period of DNS Queries' })
    await hands.selectOptions(select, '30d')
    expect(location.hash).toBe('#dashboard?q=home&queries=30d')
    const month = await link(/^DNS Queries 51\.2K no earlier data$/)
    expect(month.getAttribute('href')).toBe('#analytics?period=30d')
    await hands.clear(screen.getByRole('searchbox'))
    await waitFor(() => expect(location.hash).toBe('#dashboard?queries=30d'))
    expect(mock.calls.some(({ id }) => id === 'getQuerySeries')).toBe(false)
    expect(screen.queryByRole('region', { name: 'DNS Analytics' })).toBeNull()
  })

  test('have a panel whose rows lead to what they count, and a line in the card', async () => {
    serveMe('elite', { abilities: ['analytics', 'data_export'] })
    mock.handle({ getQuerySeries: () => ok(series({ hours: [2, 4, 1] })) })
    openDashboard()
    await waitFor(() => expect(document.querySelector('.stat .sparkline-line')).not.toBeNull())
    const shown = within(await screen.findByRole('region', { name: 'DNS Analytics' }))
    const place = async (name: RegExp) =>
      (await shown.findByRole('link', { name })).getAttribute('href')
    expect(await place(/^home\.example\.net 41K$/)).toBe('#analytics?period=30d&domain=42')
    expect(await place(/^Austria 9\.1K$/)).toBe('#analytics?by=country&value=AT')
    expect(await place(/^Example Net \(AS64496\) 7\.4K$/)).toBe('#analytics?by=network&value=64496')
    expect(await place(/^Export Data$/)).toBe('#analytics?dialog=export')
    expect(await place(/^View Real-time Queries$/)).toBe('#analytics?live=on')
    expect(await place(/^IP Geolocation by DB-IP$/)).toBe('https://db-ip.com')
  })

  test('that do not exist yet have no figures, and no export without the plan', async () => {
    serveMe('pro', { abilities: ['analytics'] })
    mock.handle({
      getDnsStats: () => ok({ ...exampleOf('getDnsStats'), counted_until: null }),
    })
    const hands = openDashboard()
    const shown = within(await screen.findByRole('region', { name: 'DNS Analytics' }))
    expect(await shown.findByText(/^There are no DNS queries for your domains yet\./)).toBeDefined()
    expect(shown.queryByRole('link', { name: 'Export Data' })).toBeNull()
    expect(await link(/^DNS Queries No queries yet/)).toBeDefined()
    mock.handle({ getDnsStats: () => ok(exampleOf('getDnsStats')) })
    await hands.click(shown.getByRole('button', { name: 'Refresh' }))
    expect(await shown.findByRole('link', { name: /^Austria/ })).toBeDefined()
  })
})
