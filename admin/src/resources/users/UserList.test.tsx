import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { mock, problem } from '../../../test/mock.ts'
import { plan, servePlans, user } from '../../../test/records.ts'
import { serveUsers } from '../../../test/user-records.ts'
import { cells, fill, open } from '../../../test/screen.tsx'

const ADA = user({ domain_count: 3 })
const BOB = user({
  id: '8',
  username: 'bob',
  email: 'bob@example.org',
  email_verified: false,
  given_name: null,
  account_type: 'free',
  plan: 'free',
  enabled: false,
  domain_count: 0,
  last_login: null,
  last_login_ip: null,
})

const names = () => cells().map(([name = '']) => name)
const filters = () =>
  mock.calls
    .filter(({ id }) => id === 'listUsers')
    .map(({ query }) => (query as { filter?: string }).filter)

test('the way back from a user keeps the filter', async () => {
  serveUsers(ADA, BOB)
  servePlans(plan())
  const hands = open('/users?filter=%7B%22account_type%22%3A%22pro%22%7D')
  await hands.click(await screen.findByRole('link', { name: 'ada' }))
  await screen.findByRole('heading', { name: 'ada' })
  await hands.click(within(screen.getByRole('main')).getByRole('link', { name: 'Users' }))
  await screen.findByRole('link', { name: 'ada' })
  expect(names()).toEqual(['adaAda'])
})

test('each row shows the user, the plan, and its usage', async () => {
  serveUsers(ADA, BOB)
  servePlans(plan({ domain_limit: 100 }))
  open('/users')
  await screen.findByRole('link', { name: '3 of 100 domains of ada' })
  const [bob = [], ada = []] = cells()
  expect(ada.slice(0, 5)).toEqual(['adaAda', 'ada@example.net', 'Pro', 'Active', '3 of 100'])
  expect(bob.slice(0, 6)).toEqual([
    'bob',
    'bob@example.orgnot verified',
    'Free',
    'Suspended',
    '0',
    'never',
  ])
  const link = screen.getByRole('link', { name: '3 of 100 domains of ada' })
  expect(link.getAttribute('href')).toBe('/admin/domains?user_id=7')
})

test('the list can be searched and filtered by plan and state, and the URL holds the filters', async () => {
  serveUsers(ADA, BOB)
  const hands = open('/users')
  await screen.findByRole('link', { name: 'ada' })
  await fill(hands, screen.getByRole('searchbox', { name: 'Search name or email' }), 'example.org')
  await waitFor(() => expect(names()).toEqual(['bob']))
  await hands.selectOptions(screen.getByRole('combobox', { name: 'Plan' }), 'elite')
  expect(await screen.findByText('No results match these filters.')).toBeDefined()
  expect(JSON.parse(new URLSearchParams(location.search).get('filter') ?? '')).toEqual({
    q: 'example.org',
    account_type: 'elite',
  })
  await hands.click(screen.getByRole('button', { name: 'Clear filters' }))
  await waitFor(() => expect(names().length).toBe(2))
  const states = within(screen.getByRole('group', { name: 'Status' }))
  await hands.click(await states.findByRole('button', { name: 'Suspended1' }))
  await waitFor(() => expect(names()).toEqual(['bob']))
  expect(filters().at(-1)).toContain('"status":"suspended"')
})

test('each status of the filter lists the accounts that the column shows with it', async () => {
  const disabled = { account_type: 'disabled', plan: 'disabled' } as const
  const eve = user({ id: '9', username: 'eve', ...disabled })
  serveUsers(ADA, BOB, eve, user({ id: '6', username: 'kim', ...disabled, enabled: false }))
  const hands = open('/users')
  const states = within(await screen.findByRole('group', { name: 'Status' }))
  const chosen = async (button: string, rows: readonly (readonly string[])[]) => {
    await hands.click(await states.findByRole('button', { name: button }))
    await waitFor(() => expect(cells().map(([name, , , status]) => [name, status])).toEqual(rows))
  }
  await chosen('Active1', [['adaAda', 'Active']])
  await chosen('Disabled1', [['eveAda', 'Disabled']])
  const suspended = ['bob', 'kimAda'].map((name) => [name, 'Suspended'])
  await chosen('Suspended2', suspended)
})

test('column headers sort the list; by default the newest accounts come first', async () => {
  serveUsers(ADA, BOB)
  const hands = open('/users')
  await screen.findByRole('link', { name: 'ada' })
  expect(names()).toEqual(['bob', 'adaAda'])
  const head = screen.getByRole('columnheader', { name: /^User/ })
  await hands.click(within(head).getByRole('button'))
  await waitFor(() => expect(names()).toEqual(['adaAda', 'bob']))
  expect(head.getAttribute('aria-sort')).toBe('ascending')
})

test('the pager shows the current range', async () => {
  serveUsers(
    ...Array.from({ length: 30 }, (_, n) => user({ id: String(n + 1), username: `u${n}` })),
  )
  const hands = open('/users')
  expect(await screen.findByText('1–25 of 30')).toBeDefined()
  await hands.click(screen.getByRole('button', { name: 'Next' }))
  expect(await screen.findByText('26–30 of 30')).toBeDefined()
  expect(names().length).toBe(5)
})

test('an error shows its message and the request id, and the list can be loaded again', async () => {
  mock.handle({ listUsers: () => problem('range-not-satisfiable', { detail: 'No such part.' }) })
  mock.handle({ listUsers: () => problem('validation-failed', { detail: 'The filter is wrong.' }) })
  const hands = open('/users')
  expect((await screen.findByRole('alert')).textContent).toContain(
    'The filter is wrong.Request request-1',
  )
  serveUsers(ADA)
  await hands.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByRole('link', { name: 'ada' })).toBeDefined()
})
