import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { exampleOf, listed, mock, ok } from '../../../test/mock.ts'
import { open } from '../../../test/screen.tsx'

const rowsOf = (table: string) =>
  within(screen.getByRole('table', { name: table }))
    .getAllByRole('row')
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    )

test('each row shows time, kind, amount with its sign, provider and invoice; days filter', async () => {
  const [payment] = exampleOf('listLedger')
  if (payment === undefined) throw new Error('the contract has an example of an entry')
  const refund = {
    ...payment,
    id: '6',
    happened_at: '2026-05-13T23:30:00.000Z',
    kind: 'refund',
    amount_cents: -11_000,
    provider_id: 're_1',
    invoice_number: null,
    reason: 'Two days down.',
  } as const
  const asked: unknown[] = []
  const summed: unknown[] = []
  mock.handle({
    listLedger({ query }) {
      const { from, to, ...filter } = JSON.parse(query.filter ?? '{}') as Record<string, string>
      asked.push({ from, to })
      return listed([payment, refund], { ...query, filter: JSON.stringify(filter) })
    },
    sumLedger({ query }) {
      summed.push(JSON.parse(query.filter ?? '{}'))
      return ok(exampleOf('sumLedger'))
    },
  })
  open('/ledger')
  await screen.findByText('re_1')
  const [second = [], first = []] = rowsOf('Ledger')
  expect(first.slice(1)).toEqual(['Payment', '$110.00', 'Stripe', 'py_1', 'H-2026-000123', '–'])
  expect(second).toEqual([
    '13 May 2026, 23:30',
    'Refund',
    '-$110.00',
    'Stripe',
    're_1',
    '–',
    'Two days down.',
  ])
  expect(screen.getByRole('columnheader', { name: /^Time \(UTC\)/ })).toBeDefined()
  fireEvent.change(screen.getByLabelText('From (UTC)'), { target: { value: '2026-05-01' } })
  await waitFor(() =>
    expect(asked.at(-1)).toEqual({ from: '2026-05-01T00:00:00.000Z', to: undefined }),
  )
  const filter = { from: '2026-05-01T00:00:00.000Z' }
  await waitFor(() => expect(summed.at(-1)).toEqual(filter))
  expect(rowsOf('Totals')).toEqual([
    ['Stripe, USD', '$1,320.00', '-$110.00', '$0.00', '$0.00', '$1,210.00'],
  ])
  const link = screen.getByRole<HTMLAnchorElement>('link', { name: 'Export as CSV' })
  const { pathname, searchParams } = new URL(link.href)
  expect(pathname).toBe('/api/admin/ledger/export')
  expect(JSON.parse(searchParams.get('filter') ?? '')).toEqual(filter)
})
