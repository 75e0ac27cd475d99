import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { mock, ok } from '../../../test/mock.ts'
import { domain, serveDomains, user } from '../../../test/records.ts'
import { serveUsers } from '../../../test/user-records.ts'
import { cells, open } from '../../../test/screen.tsx'

const HOME = domain({ record_ipv6: '2001:db8::7' })
const LOCKED = domain({
  id: '43',
  fqdn: 'nas.example.org',
  zone: 'example.org',
  rrtype: 'AAAA',
  record_ipv4: null,
  withheld_by: ['locked', 'over_limit'],
  is_active: false,
  user_id: '8',
  username: 'bob',
  last_update_at: null,
})

const names = () => cells().map(([name]) => name)
const lastFilter = () => {
  const { query } = mock.calls.findLast(({ id }) => id === 'listAllDomains') ?? { query: undefined }
  return JSON.parse((query as { filter: string }).filter) as object
}

test('each row shows the owner, the address, and all reasons why the domain is not served', async () => {
  serveDomains(HOME, LOCKED)
  open('/domains')
  await screen.findByRole('link', { name: 'home.example.net' })
  const [locked = [], home = []] = cells()
  expect(home.slice(0, 6)).toEqual([
    'home.example.net',
    'ada',
    '198.51.100.72001:db8::7',
    'A',
    '60',
    'Active',
  ])
  expect(locked.slice(1, 7)).toEqual(['bob', 'none', 'AAAA', '60', 'LockedOver the limit', 'never'])
})

test('a count shows the domains in that state', async () => {
  serveDomains(HOME, LOCKED)
  const hands = open('/domains')
  const states = within(await screen.findByRole('group', { name: 'Status' }))
  await hands.click(await states.findByRole('button', { name: 'Locked1' }))
  await waitFor(() => expect(names()).toEqual(['nas.example.org']))
  expect(states.getByRole('button', { pressed: true }).textContent).toBe('Locked1')
})

test('the list can be filtered by zone and type', async () => {
  mock.handle({ listAvailableZones: () => ok([{ zone: 'example.net' }, { zone: 'example.org' }]) })
  serveDomains(HOME, LOCKED)
  const hands = open('/domains')
  await hands.selectOptions(await screen.findByRole('combobox', { name: 'Type' }), 'AAAA')
  await waitFor(() => expect(names()).toEqual(['nas.example.org']))
  await hands.selectOptions(screen.getByRole('combobox', { name: 'Zone' }), 'example.net')
  expect(await screen.findByText('No results match these filters.')).toBeDefined()
})

test('a link to a user’s domains shows these, and a button that shows all', async () => {
  serveDomains(HOME, LOCKED)
  serveUsers(user({ id: '8', username: 'bob' }))
  const hands = open('/domains?user_id=8')
  await waitFor(() => expect(names()).toEqual(['nas.example.org']))
  expect(await screen.findByText('bob', { selector: 'strong' })).toBeDefined()
  await hands.click(screen.getByRole('button', { name: 'Show the domains of all users' }))
  await waitFor(() => expect(names().length).toBe(2))
  expect(lastFilter()).toEqual({})
})

test('an empty list says so', async () => {
  serveDomains()
  open('/domains')
  expect(await screen.findByText('No domains have been registered yet.')).toBeDefined()
})
