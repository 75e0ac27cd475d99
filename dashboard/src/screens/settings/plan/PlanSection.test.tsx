import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openDashboard } from '../../../../test/screen.tsx'

test('the plan is shown with its limits and features, and leads to the prices', async () => {
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
