import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { exampleOf, mock, ok, problem } from '../../../test/mock.ts'
import { cells, open } from '../../../test/screen.tsx'
import type { AdminQueries } from '../../api/client.ts'

const ROWS: Record<AdminQueries['by'], AdminQueries['rows']> = {
  zone: [{ value: 'homing.test', label: 'homing.test', queries: 800, share: 80 }],
  country: [
    { value: 'AT', label: 'Austria', queries: 900, share: 90 },
    { value: 'ZZ', label: 'Not known', queries: 100, share: 10 },
  ],
  network: [{ value: '64496', label: 'Example Net', queries: 1_000, share: 100 }],
  type: [],
}

/** Mocks the counts. @returns how many days each call asked for */
function serveQueries(): number[] {
  const days: number[] = []
  mock.handle({
    listQueryCounts({ query: { by, from = '' } }) {
      days.push(Math.round((Date.now() - Date.parse(from)) / 86_400_000))
      const total = by === 'type' ? 0 : 1_000
      return ok({ ...exampleOf('listQueryCounts'), by, total, rows: ROWS[by] })
    },
  })
  return days
}

const table = () => screen.findByRole('table', { name: 'DNS queries' })

test('zones are listed with their share, and the rest as one row', async () => {
  serveQueries()
  open('/dns-queries')
  await table()
  expect(cells()).toEqual([
    ['homing.test', '800', '80.00%'],
    ['All others', '200', '20.00%'],
  ])
  expect(screen.getByText(/^1,000 queries from /)).toBeDefined()
})

test('the URL holds what is counted and the period', async () => {
  const days = serveQueries()
  const hands = open('/dns-queries?by=country&last=7d')
  await table()
  expect(cells()).toEqual([
    ['AustriaAT', '900', '90.00%'],
    ['Not known', '100', '10.00%'],
  ])
  expect(screen.getByRole('link', { name: 'IP Geolocation by DB-IP' })).toBeDefined()
  await hands.selectOptions(screen.getByRole('combobox', { name: 'Count by' }), 'Network')
  await waitFor(() => expect(cells()).toEqual([['Example NetAS64496', '1,000', '100.00%']]))
  await hands.selectOptions(screen.getByRole('combobox', { name: 'Period' }), 'Last 365 days')
  await waitFor(() => expect(days).toEqual([7, 7, 365]))
  expect(location.search).toBe('?by=network&last=365d')
  await hands.selectOptions(screen.getByRole('combobox', { name: 'Count by' }), 'Type')
  expect(await screen.findByText('No queries in this period.')).toBeDefined()
  expect(screen.queryByRole('link', { name: 'IP Geolocation by DB-IP' })).toBeNull()
})

test('unknown words in the URL are ignored, and an error can be retried', async () => {
  mock.handle({ listQueryCounts: () => problem('unavailable', { detail: 'Not now.' }) })
  const hands = open('/dns-queries?by=toString&last=1s')
  expect(await screen.findByText('Not now.')).toBeDefined()
  const days = serveQueries()
  await hands.click(screen.getByRole('button', { name: 'Retry' }))
  await table()
  expect(cells()[0]?.[0]).toBe('homing.test')
  expect(days).toEqual([1])
})
