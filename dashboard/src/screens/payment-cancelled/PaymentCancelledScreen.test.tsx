import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openSignIn } from '../../../test/screen.tsx'
import { rememberPlan } from '../../api/intended-plan.ts'

const hrefOf = (name: string) => screen.getByRole('link', { name }).getAttribute('href')

test('nothing was charged; the plan and the cycle are kept on the way back, and support is one mail away', async () => {
  rememberPlan('plan=elite&billing=annual', true)
  openSignIn('#payment-cancelled')
  expect(await screen.findByRole('heading', { level: 1, name: 'Payment Cancelled' })).toBeDefined()
  expect(screen.getByText(/^No charges were made\./)).toBeDefined()
  expect(hrefOf('Back to Pricing')).toBe('/pricing?plan=elite&billing=annual')
  expect(hrefOf('Go to Dashboard')).toBe('#dashboard')
  await screen.findByRole('link', { name: 'Contact Support' })
  expect(hrefOf('Contact Support')).toBe(
    `mailto:support@example.net?subject=${encodeURIComponent('My payment was cancelled – Elite, annual')}`,
  )
})
