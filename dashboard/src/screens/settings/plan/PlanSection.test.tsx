import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { exampleOf, mock, ok } from '../../../../test/mock.ts'
import { NO_SUBSCRIPTION } from '../../../../test/payments.ts'
import { openDashboard } from '../../../../test/screen.tsx'

test('the plan is shown with its limits and features, and leads to the prices', async () => {
  mock.handle({ getCurrentSubscription: () => ok(NO_SUBSCRIPTION) })
  openDashboard('#settings/plan')
  expect(await screen.findByRole('heading', { name: 'Pro' })).toBeDefined()
  expect(screen.getByText('3 of 100')).toBeDefined()
  const featuresOf = (list: string) =>
    within(screen.getByRole('list', { name: list }))
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent)
  expect(featuresOf('Included')).toEqual(['API keys and trusted pipelines', 'Wildcard domains'])
  expect(featuresOf('Not in your plan')).toContain('Uptime monitoring')
  expect(screen.getByRole('link', { name: 'Upgrade to Elite' })).toHaveProperty(
    'pathname',
    '/pricing',
  )
})

test('the prices are those of the plans table', async () => {
  const [pro] = exampleOf('listOfferedPlans')
  if (pro === undefined) throw new Error('the contract has an example')
  const elite = { ...pro, id: 'elite', price_month_cents: 2_500, price_year_cents: 27_500 } as const
  mock.handle({ listOfferedPlans: () => ok([pro, elite]) })
  openDashboard('#settings/plan')
  expect(await screen.findByText('$10 per month, or $110 per year')).toBeDefined()
  expect(screen.getByText('Elite: $25 per month, or $275 per year')).toBeDefined()
})
