import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openDashboard } from '../../../../test/screen.tsx'

test('the plan is shown with its limits and features, and leads to the prices', async () => {
  openDashboard('#settings/plan')
  expect(await screen.findByRole('heading', { name: 'Pro' })).toBeDefined()
  expect(screen.getByText('3 of 100')).toBeDefined()
  const features = within(screen.getByRole('list', { name: 'Features' }))
  const texts = features.getAllByRole('listitem').map(({ textContent }) => textContent)
  expect(texts).toContain('Wildcard domains')
  expect(texts).toContain('Uptime monitoring (not in your plan)')
  expect(screen.getByRole('link', { name: 'Upgrade to Elite' })).toHaveProperty(
    'pathname',
    '/pricing',
  )
})
