import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { mock, ok, problem } from '../../../test/mock.ts'
import { cells, open } from '../../../test/screen.tsx'
import type { QueriesOfService } from '../../api/client.ts'

const row = (value: string, label: string, queries: number, share: number) => ({
  id: value,
  value,
  label,
  queries,
  share,
})
const ROWS: Readonly<Record<string, readonly QueriesOfService[]>> = {
  zone: [
    row('homing.test', 'homing.test', 8_000, 80),
    row('example.net', 'example.net', 2_000, 20),
  ],
  country: [row('AT', 'Austria', 9_000, 90), row('ZZ', 'Unknown', 1_000, 10)],
  network: [row('64496', 'Example Net (AS64496)', 10_000, 100)],
}

/** Mocks the list. @returns the filter of each call */
function serveQueries(): unknown[] {
  const filters: unknown[] = []
  mock.handle({
    listAllQueries({ query }) {
      const filter = JSON.parse(query.filter ?? '{}') as { readonly by?: string }
      filters.push(filter)
      return ok([...(ROWS[filter.by ?? 'zone'] ?? [])])
    },
  })
  return filters
}

const table = () => screen.findByRole('table', { name: 'DNS queries' })

test('zones are listed with their queries and their share', async () => {
  serveQueries()
  open('/dns-queries')
  await table()
  await waitFor(() =>
    expect(cells()).toEqual([
      ['homing.test', '8,000', '80.00%'],
      ['example.net', '2,000', '20.00%'],
    ]),
  )
  expect(screen.getByRole('link', { name: 'IP Geolocation by DB-IP' })).toBeDefined()
})

test('they are counted by country or network, and over another period', async () => {
  const filters = serveQueries()
  const hands = open('/dns-queries')
  await table()
  await hands.selectOptions(screen.getByRole('combobox', { name: 'Count by' }), 'Country')
  await waitFor(() =>
    expect(cells()).toEqual([
      ['AustriaAT', '9,000', '90.00%'],
      ['UnknownZZ', '1,000', '10.00%'],
    ]),
  )
  await hands.selectOptions(screen.getByRole('combobox', { name: 'Period' }), '400 days')
  await waitFor(() => expect(filters.at(-1)).toEqual({ by: 'country', days: '400' }))
  await hands.selectOptions(screen.getByRole('combobox', { name: 'Count by' }), 'Network')
  await waitFor(() => expect(cells()).toEqual([['Example Net (AS64496)', '10,000', '100.00%']]))
  await hands.selectOptions(screen.getByRole('combobox', { name: 'Count by' }), 'Type')
  expect(await screen.findByText('No results match these filters.')).toBeDefined()
})

test('an error is shown, and the list can be read again', async () => {
  mock.handle({ listAllQueries: () => problem('unavailable', { detail: 'Not now.' }) })
  const hands = open('/dns-queries')
  expect(await screen.findByText('Not now.')).toBeDefined()
  serveQueries()
  await hands.click(screen.getByRole('button', { name: 'Retry' }))
  await table()
  await waitFor(() => expect(cells()[0]?.[0]).toBe('homing.test'))
})
