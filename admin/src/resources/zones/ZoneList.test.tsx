/** The own zones of all accounts: the list with its filters, and the page of one claim. */
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { mock, problem } from '../../../test/mock.ts'
import { adminZone, serveZones, user } from '../../../test/records.ts'
import { serveUsers } from '../../../test/user-records.ts'
import { cells, fill, open } from '../../../test/screen.tsx'

const BRAND = adminZone({ id: '5', zone: 'brand.example', claim_count: 2 })
const RIVAL = adminZone({
  id: '6',
  zone: 'brand.example',
  user_id: '8',
  username: 'bob',
  claimed_at: '2026-05-11T08:00:00.000Z',
  claim_count: 2,
})
const LAB = adminZone({
  id: '7',
  zone: 'lab.example',
  state: 'active',
  proof: 'delegation',
  is_vanity: false,
  records: 1_200,
  domains: 3,
  claimed_at: '2026-05-10T08:00:00.000Z',
})
const OVER = adminZone({ id: '8', zone: 'my-brand.example', state: 'expired', last_check: null })

const names = () => cells().map(([name]) => name)
const table = () => screen.findByRole('table', { name: 'Own zones' })

test('each row shows owner, state, name servers, content, and whether others claim it', async () => {
  serveZones(BRAND, LAB)
  open('/zones')
  expect(await screen.findByRole('link', { name: 'brand.example' })).toHaveProperty(
    'pathname',
    '/admin/zones/5/show',
  )
  expect(cells().map((row) => row.slice(0, 6))).toEqual([
    ['brand.example2 live claims', 'ada', 'Pending', 'vanity', '0', '0'],
    ['lab.example', 'ada', 'Activecheck failed', 'of the service', '1,200', '3'],
  ])
})

test('the list can be searched, sorted, and filtered by state and name servers', async () => {
  serveZones(BRAND, RIVAL, LAB, OVER)
  const hands = open('/zones')
  await table()
  const states = within(screen.getByRole('group', { name: 'State' }))
  await hands.click(await states.findByRole('button', { name: 'Active1' }))
  await waitFor(() => expect(names()).toEqual(['lab.example']))
  await hands.click(states.getByRole('button', { name: /^All/ }))
  await hands.selectOptions(screen.getByRole('combobox', { name: 'Name servers' }), 'true')
  await waitFor(() => expect(names()).toHaveLength(3))
  await hands.click(screen.getByRole('button', { name: 'Zone' }))
  await waitFor(() => expect(names().at(-1)).toBe('my-brand.example'))
  await fill(hands, screen.getByRole('searchbox', { name: 'Search zone or owner' }), 'bob')
  await waitFor(() => expect(names()).toEqual(['brand.example2 live claims']))
})

test('the page of a claim shows its facts, its last check, and the other claims of the domain', async () => {
  serveZones(BRAND, RIVAL, LAB, OVER)
  const hands = open('/zones/5/show')
  await screen.findByRole('heading', { level: 1, name: 'brand.example' })
  const facts = screen.getByRole('region', { name: 'Facts' }).textContent
  for (const fact of ['StatePending', 'Ownerada', 'Proofnone yet', 'ns1.example.com 198.51']) {
    expect(facts).toContain(fact)
  }
  const check = within(screen.getByRole('table', { name: 'Facts of the last check' }))
  expect(
    check
      .getAllByRole('row')
      .slice(1)
      .map(({ textContent }) => textContent),
  ).toEqual([
    'DelegationRightcom delegates example.com.',
    expect.stringMatching(/^Name serversWrongcom names ns1\.example\.org\./),
  ])
  const parent = within(screen.getByRole('table', { name: 'Answers of the parent zone' }))
  expect(parent.getByText('192.5.6.30, UDP')).toBeDefined()
  const claims = within(screen.getByRole('region', { name: 'Other claims of this domain' }))
  await hands.click(await claims.findByRole('link', { name: 'bob' }))
  await waitFor(() => expect(location.pathname).toBe('/admin/zones/6/show'))
})

test('the page of a user links to their zones', async () => {
  serveUsers(user({ id: '8', username: 'bob' }))
  serveZones(BRAND, RIVAL)
  const hands = open('/users/8')
  await hands.click(await screen.findByRole('link', { name: '1 own zone' }))
  await waitFor(() => expect(cells().map(([, owner]) => owner)).toEqual(['bob']))
})

test('a claim that is gone is reported, and can be read again', async () => {
  serveZones(OVER)
  const hands = open('/zones/5/show')
  expect(await screen.findByRole('heading', { name: 'Not found' })).toBeDefined()
  serveZones({ ...BRAND, claim_count: 1 })
  await hands.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByText('No other account claimed it.')).toBeDefined()
})

test('a list that fails to load can be loaded again', async () => {
  mock.handle({ listAllOwnZones: () => problem('unavailable', { detail: 'Not now.' }) })
  const hands = open('/zones')
  expect(await screen.findByText('Not now.')).toBeDefined()
  serveZones(LAB)
  await hands.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByRole('link', { name: 'lab.example' })).toBeDefined()
})
