import { screen, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { exampleOf, mock, ok } from '../../../test/mock.ts'
import { openDashboard } from '../../../test/screen.tsx'

const [invoice] = exampleOf('listInvoices')
if (invoice === undefined) throw new Error('the contract has an example')

test('an invoice has seller, payer, lines, tax and total, and is printed', async () => {
  mock.handle({ listInvoices: () => ok([{ ...invoice, taxCents: 1_756, taxRate: 19 }]) })
  const print = vi.fn()
  vi.stubGlobal('print', print)
  const hands = openDashboard('#invoice/17')
  expect(await screen.findByRole('heading', { level: 1, name: 'Invoice' })).toBeDefined()
  expect(document.title).toBe('Invoice H-2026-000123 · Homing')
  expect(await screen.findByText('Example Networks Ltd')).toBeDefined()
  const payer = within(screen.getByRole('region', { name: 'Billed to' }))
  expect(payer.getByText('Springfield, IL, 62701')).toBeDefined()
  expect(screen.getAllByRole('row').map(({ textContent }) => textContent)).toEqual([
    'DescriptionAmount',
    'Pro, annual, 12 May 2026 to 12 May 2027$110.00',
    'Without tax$92.44',
    'Tax (19%)$17.56',
    'Total$110.00',
  ])
  await hands.click(screen.getByRole('button', { name: 'Print or Save as PDF' }))
  expect(print).toHaveBeenCalledOnce()
})

test('a credit note of PayPal names the invoice that it corrects', async () => {
  mock.handle({
    listInvoices: () =>
      ok([
        {
          ...invoice,
          kind: 'credit_note',
          status: 'refunded',
          provider: 'paypal',
          totalCents: -11_000,
          correctsNumber: 'H-2026-000122',
        },
      ]),
  })
  openDashboard('#invoice/17')
  expect(await screen.findByRole('heading', { level: 1, name: 'Credit note' })).toBeDefined()
  expect(screen.getByText('H-2026-000122')).toBeDefined()
  expect(screen.getByText('PayPal')).toBeDefined()
  expect(screen.getByRole('row', { name: 'Total -$110.00' })).toBeDefined()
})

test('an invoice of another account does not exist', async () => {
  openDashboard('#invoice/9999')
  expect(await screen.findByText('Your account has no such invoice.')).toBeDefined()
})
