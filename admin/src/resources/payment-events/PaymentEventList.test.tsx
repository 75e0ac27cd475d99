import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { exampleOf, listed, mock } from '../../../test/mock.ts'
import { cells, open } from '../../../test/screen.tsx'

test('each row shows event, state with its error, object, subscription and attempts', async () => {
  const [applied] = exampleOf('listPaymentEvents')
  if (applied === undefined) throw new Error('the contract has an example of an event')
  const failed = {
    ...applied,
    id: '32',
    event_id: 'WH-2',
    type: 'PAYMENT.SALE.COMPLETED',
    provider: 'paypal',
    state: 'failed',
    error: 'unknown price P-1',
    attempts: 3,
    subscription_id: null,
    applied_at: null,
  } as const
  mock.handle({ listPaymentEvents: ({ query }) => listed([applied, failed], query) })
  open('/payment-events')
  const link = await screen.findByRole('link', { name: 'Subscription 9' })
  expect(new URL(link.getAttribute('href') ?? '', location.href).searchParams.get('filter')).toBe(
    '{"id":"9"}',
  )
  const [second = [], first = []] = cells()
  expect(first.slice(0, 5)).toEqual([
    'invoice.paidevt_1',
    'Stripe',
    'Applied',
    'in_1Subscription 9',
    '1',
  ])
  expect(second.slice(0, 3)).toEqual([
    'PAYMENT.SALE.COMPLETEDWH-2',
    'PayPal',
    'Failedunknown price P-1',
  ])
  expect(second[6]).toBe('never')
})
