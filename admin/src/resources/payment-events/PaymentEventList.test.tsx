import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { exampleOf, listed, mock } from '../../../test/mock.ts'
import { serveSubscriptions, subscription } from '../../../test/records.ts'
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

test('the link to a subscription shows its filter, which can be removed', async () => {
  const [applied] = exampleOf('listPaymentEvents')
  if (applied === undefined) throw new Error('the contract has an example of an event')
  mock.handle({ listPaymentEvents: ({ query }) => listed([applied], query) })
  serveSubscriptions(
    subscription({ id: '9', provider_id: 'sub_9' }),
    subscription({ id: '10', provider_id: 'sub_10' }),
  )
  const hands = open('/payment-events')
  await hands.click(await screen.findByRole('link', { name: 'Subscription 9' }))
  await screen.findByRole('link', { name: 'sub_9' })
  expect(screen.queryByRole('link', { name: 'sub_10' })).toBeNull()
  expect(screen.getByText('Subscription:').textContent).toContain('9')
  await hands.click(screen.getByRole('button', { name: 'Show all' }))
  expect(await screen.findByRole('link', { name: 'sub_10' })).toBeDefined()
  expect(screen.queryByText('Subscription:')).toBeNull()
})
