/** The table of domains in each of its states. */
import { onlineManager } from '@tanstack/react-query'
import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { chooseInMenu, domain, serveDomains } from '../../../test/domains.ts'
import { exampleOf, mock, problem, ok } from '../../../test/mock.ts'
import { openDashboard } from '../../../test/screen.tsx'

const rowOf = async (name: string) => screen.findByRole('row', { name: new RegExp(`^${name}`) })
const listQueries = () =>
  mock.calls.filter(({ id }) => id === 'listDomains').map(({ query }) => query as object)
const names = () => screen.getAllByRole('rowheader').map(({ textContent }) => textContent)

describe('a row', () => {
  test('shows a domain: its addresses, its state and its actions', async () => {
    serveDomains(
      domain({ record_ipv6: '2001:db8::7', wildcard_enabled: true }),
      domain({
        id: '43',
        fqdn: 'office.example.net',
        record_ipv4: null,
        tags: [],
        last_update_at: null,
        last_update_client: null,
      }),
      domain({ id: '44', fqdn: '*.home.example.net', is_wildcard: true }),
    )
    const hands = openDashboard()
    const home = within(await rowOf('home.example.net'))
    expect(home.getByText('Wildcard Active')).toBeDefined()
    expect(home.getByText('Active')).toBeDefined()
    expect(
      home.getByRole('button', { name: 'Copy 198.51.100.7 of home.example.net' }),
    ).toBeDefined()
    expect(home.getByRole('button', { name: 'Copy 2001:db8::7 of home.example.net' })).toBeDefined()
    const office = within(await rowOf('office.example.net'))
    const cells = office.getAllByRole('cell').map(({ textContent }) => textContent)
    expect(cells.slice(1, 4)).toEqual(['example.net', 'No address', 'Not set'])
    const wildcard = within(await rowOf('\\*.home.example.net'))
    expect(wildcard.getByText('Follows home.example.net')).toBeDefined()
    expect(wildcard.queryByRole('button', { name: 'Update *.home.example.net' })).toBeNull()
    await hands.click(wildcard.getByRole('button', { name: 'Actions for *.home.example.net' }))
    const items = screen.getAllByRole('menuitem').map(({ textContent }) => textContent)
    expect(items).toEqual(['DeleteX'])
  })
})

describe('the list', () => {
  const three = () =>
    serveDomains(
      domain({ id: '1', fqdn: 'b.example.net', last_update_at: '2026-05-12T08:30:00.000Z' }),
      domain({ id: '2', fqdn: 'a.example.net', last_update_at: '2026-05-11T08:30:00.000Z' }),
      domain({ id: '3', fqdn: 'nas.example.net', last_update_at: null }),
    )

  test('is sorted by the API in both directions, and the URL holds the order', async () => {
    three()
    const hands = openDashboard()
    await rowOf('b.example.net')
    expect(names()).toEqual(['a.example.net', 'b.example.net', 'nas.example.net'])
    const head = screen.getByRole('columnheader', { name: /Updated/ })
    const byTime = within(head).getByRole('button', { name: 'Updated' })
    await hands.click(byTime)
    await waitFor(() => expect(names()[0]).toBe('b.example.net'))
    expect([head.ariaSort ?? head.getAttribute('aria-sort'), location.hash]).toEqual([
      'descending',
      '#dashboard?sort=-last_update_at',
    ])
    await hands.click(byTime)
    await waitFor(() => expect(names()[0]).toBe('nas.example.net'))
    expect(listQueries().at(-1)).toMatchObject({ sort: '["last_update_at","ASC"]' })
    // On phones.
    const order = screen.getByLabelText<HTMLSelectElement>('Sort by')
    expect(order.selectedOptions[0]?.text).toBe('Update, oldest first')
    await hands.selectOptions(order, 'Current IP, highest first')
    await waitFor(() => expect(location.hash).toBe('#dashboard?sort=-record_ip'))
  })

  test('is searched when the typing pauses; a search without results can be cleared', async () => {
    three()
    const hands = openDashboard()
    await rowOf('b.example.net')
    await hands.type(screen.getByRole('searchbox'), 'nas')
    await waitFor(() => expect(names()).toEqual(['nas.example.net']))
    expect(listQueries().map((query) => ('filter' in query ? query.filter : undefined))).toEqual([
      undefined,
      '{"q":"nas"}',
    ])
    await hands.type(screen.getByRole('searchbox'), 'x')
    expect(await screen.findByText('No domain matches “nasx”.')).toBeDefined()
    await hands.click(screen.getByRole('button', { name: 'Clear Search' }))
    await waitFor(() => expect(names().length).toBe(3))
  })

  test('has pages of 50', async () => {
    serveDomains(
      ...Array.from({ length: 60 }, (_, n) =>
        domain({ id: String(n + 1), fqdn: `d${String(n + 10)}.example.net` }),
      ),
    )
    const hands = openDashboard()
    expect(await screen.findByText('1–50 of 60 domains')).toBeDefined()
    await hands.click(screen.getByRole('button', { name: 'Next' }))
    expect(await screen.findByText('51–60 of 60 domains')).toBeDefined()
    expect(listQueries().at(-1)).toMatchObject({ range: '[50,99]' })
    expect(screen.getByRole('button', { name: 'Next' })).toHaveProperty('disabled', true)
    expect(location.hash).toBe('#dashboard?page=2')
  })

  test('goes to the first page when its page no longer exists', async () => {
    three()
    openDashboard('#dashboard?page=3')
    await rowOf('b.example.net')
    expect(location.hash).toBe('#dashboard')
  })

  test('without domains offers to add the first', async () => {
    serveDomains()
    const hands = openDashboard()
    await hands.click(await screen.findByRole('button', { name: 'Add Your First Domain' }))
    expect(await screen.findByRole('dialog', { name: 'Add domain' })).toBeDefined()
  })
})

describe('when the service does not return the list', () => {
  test('the error and the request id are shown, and the list can be loaded again', async () => {
    mock.handle({ listDomains: () => problem('forbidden', { detail: 'Not for this account.' }) })
    const hands = openDashboard()
    const panel = within(await screen.findByRole('region', { name: 'Domains' }))
    expect((await panel.findByRole('alert')).textContent).toContain(
      'Not for this account.Request request-1',
    )
    serveDomains(domain())
    await hands.click(panel.getByRole('button', { name: 'Retry' }))
    expect(await rowOf('home.example.net')).toBeDefined()
  })

  test('the old rows stay, with their time', async () => {
    serveDomains(domain())
    const hands = openDashboard()
    await rowOf('home.example.net')
    await chooseInMenu(hands, 'home.example.net', 'Delete')
    mock.handle({ listDomains: () => problem('forbidden', { detail: 'Not now.' }) })
    await hands.click(await screen.findByRole('button', { name: 'Delete' }))
    expect(
      (await screen.findByText(/^Not now\. This list was last updated at /)).textContent,
    ).toBeDefined()
    expect(names()).toEqual(['home.example.net'])
  })

  test('without a network, they stay with their time, and are not called live', async () => {
    serveDomains(domain())
    openDashboard()
    await rowOf('home.example.net')
    try {
      act(() => onlineManager.setOnline(false))
      expect(
        await screen.findByText(/^This device is offline\. This list was last updated at /),
      ).toBeDefined()
      expect(screen.queryByText(/ · \d+ s ago$/)).toBeNull()
      expect(names()).toEqual(['home.example.net'])
    } finally {
      act(() => onlineManager.setOnline(true))
    }
  })
})

test('when the plan’s limit is reached, the panel says why no domain can be added, and which plan lifts it', async () => {
  const me = exampleOf('getMe')
  mock.handle({
    getMe: () => ok({ ...me, limits: { ...me.limits, domain_count: 5, domain_limit: 5 } }),
  })
  openDashboard()
  const reason = await screen.findByText(
    'Your plan allows 5 domains and you have 5. Delete one to add another, or choose the Pro plan with 100 domains.',
  )
  const button = screen.getByRole('button', { name: 'Add Domain' })
  expect([button.getAttribute('aria-describedby'), button]).toEqual([
    reason.id,
    expect.objectContaining({ disabled: true }),
  ])
})

describe('signing out', () => {
  test('ends the session, and leaves nothing in the browser', async () => {
    const hands = openDashboard()
    await hands.click(await screen.findByRole('button', { name: 'Logout' }))
    await expect.poll(() => localStorage.getItem('user')).toBeNull()
    expect(mock.calls.some(({ id }) => id === 'logout')).toBe(true)
  })

  test('that fails shows an error', async () => {
    mock.handle({ logout: () => Promise.reject(new TypeError('Failed to fetch')) })
    const hands = openDashboard()
    await hands.click(await screen.findByRole('button', { name: 'Logout' }))
    expect(await screen.findByText(/^You are still signed in\./)).toBeDefined()
    expect(localStorage.getItem('token')).toBe('session')
  })
})
