/** What the name servers answer, on the page of the domain. */
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { domain, serveDomains } from '../../../../test/domains.ts'
import { exampleOf, mock, ok, problem } from '../../../../test/mock.ts'
import { openDashboard } from '../../../../test/screen.tsx'
import { showDomain } from '../../../api/domains.ts'
import type { NameServerCheck, Propagation } from '../../../api/propagation.ts'
import { queries } from '../../../queries.ts'

const AT = '#domain/home.example.net?tab=propagation'
const EXAMPLE = exampleOf('getPropagation')
const [FIRST] = EXAMPLE.servers as [NameServerCheck]

const found = (message: string, ...servers: Partial<NameServerCheck>[]): Propagation => ({
  ...EXAMPLE,
  is_current: servers.every(({ state }) => state === 'current'),
  message,
  servers: servers.map((changes) => ({ ...FIRST, ...changes })),
})

const region = async () => within(await screen.findByRole('region', { name: 'Propagation' }))

/** The cells of each row. */
async function rowsOf(): Promise<(string | null)[][]> {
  const table = await (await region()).findByRole('table', { name: 'Name servers' })
  return within(table)
    .getAllByRole('row')
    .slice(1)
    .map((row) => [...row.children].map(({ textContent }) => textContent))
}

test('all servers are current; the tab has a URL of its own', async () => {
  serveDomains(domain())
  const hands = openDashboard('#domain/home.example.net')
  await hands.click(await screen.findByRole('link', { name: 'Propagation' }))
  expect(location.hash).toBe(AT)
  expect(
    (await (await region()).findByText('Both name servers answer 198.51.100.7.')).closest('[role]'),
  ).toHaveProperty('role', 'status')
  expect(await rowsOf()).toEqual([
    ['ns1.example.net192.0.2.53', 'Current', '15', '198.51.100.7', '4 ms'],
    ['ns2.example.net203.0.113.53', 'Current', '15', '198.51.100.7', '4 ms'],
  ])
  expect(
    (await region()).getByText(/^The newest serial of example\.net is 15\. Checked/),
  ).toBeDefined()
})

test('each state has a word, and a hint where it is not green', async () => {
  serveDomains(domain())
  const nothing = { serial: null, addresses: [], has_published_addresses: null }
  const message = '1 of 5 name servers does not answer.'
  mock.handle({
    getPropagation: () =>
      ok(
        found(
          message,
          { state: 'behind', serial: 12, addresses: ['192.0.2.1'], message: 'It is late.' },
          { server: 'ns2.test', state: 'different', addresses: [], message: 'It differs.' },
          { server: 'ns3.test', state: 'not-serving', ...nothing, message: 'It refuses.' },
          {
            server: 'ns4.test',
            state: 'unreachable',
            ...nothing,
            round_trip_ms: null,
            message: 'It is silent.',
          },
          {
            server: 'ns5.test',
            address: null,
            state: 'not-checked',
            ...nothing,
            round_trip_ms: null,
            message: 'It was not asked.',
          },
        ),
      ),
  })
  openDashboard(AT)
  expect((await (await region()).findByRole('alert')).textContent).toBe(message)
  expect(await rowsOf()).toEqual([
    ['ns1.example.net192.0.2.53', 'BehindIt is late.', '12', '192.0.2.1', '4 ms'],
    ['ns2.test192.0.2.53', 'Other addressesIt differs.', '15', 'No address', '4 ms'],
    ['ns3.test192.0.2.53', 'Does not serve the zoneIt refuses.', '–', '–', '4 ms'],
    ['ns4.test192.0.2.53', 'No answerIt is silent.', '–', '–', '–'],
    ['ns5.test', 'Not checkedIt was not asked.', '–', '–', '–'],
  ])
})

test('the servers are asked again by the button, and when the address changes', async () => {
  const [row] = serveDomains(domain())
  const answers = ['first', 'second', 'third'].map((message) =>
    found(message, { state: 'current' }),
  )
  mock.handle({ getPropagation: () => ok(answers.shift() ?? found('too often')) })
  const hands = openDashboard(AT)
  const shown = await region()
  await shown.findByText('first')
  await hands.click(shown.getByRole('button', { name: 'Check Again' }))
  expect(await shown.findByText('second')).toBeDefined()
  await waitFor(() => expect(screen.getAllByText('second')).toHaveLength(2))
  const changed = { ...(row ?? domain()), published_ipv4: ['198.51.100.8'], version: 9 }
  showDomain(queries, changed)
  expect(await shown.findByText('third')).toBeDefined()
})

test('a refused check says why and can be repeated', async () => {
  serveDomains(domain())
  mock.handle({ getPropagation: () => problem('rate-limited') })
  const hands = openDashboard(AT)
  const shown = await region()
  expect((await shown.findByRole('alert')).textContent).toMatch(
    /^The name servers could not be asked\./,
  )
  mock.handle({ getPropagation: () => ok(EXAMPLE) })
  await hands.click(shown.getByRole('button', { name: 'Retry' }))
  expect(await shown.findByText(EXAMPLE.message)).toBeDefined()
})

test('a zone that is not served has no table', async () => {
  serveDomains(domain())
  const message =
    'DNS does not serve the zone example.net at the moment, so no name server was asked.'
  mock.handle({
    getPropagation: () =>
      ok({ ...found(message), is_current: false, published_serial: null, published_addresses: [] }),
  })
  openDashboard(AT)
  expect(await (await region()).findByText(message)).toBeDefined()
  expect((await region()).queryByRole('table')).toBeNull()
})
