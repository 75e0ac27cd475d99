import { act, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { exampleOf, mock, ok } from '../../../test/mock.ts'
import { openDashboard } from '../../../test/screen.tsx'

const NEXT_READ_MS = 31_000

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
})
afterEach(() => {
  vi.useRealTimers()
})

test('a plan that ends while the page is open changes the badge and the links', async () => {
  const me = exampleOf('getMe')
  mock.handle({ getMe: () => ok({ ...me, limits: { ...me.limits, abilities: ['web_forward'] } }) })
  openDashboard('#settings/profile')
  expect(await screen.findByText('PRO PLAN')).toBeDefined()
  expect(await screen.findByRole('link', { name: 'Web Forwarding' })).toBeDefined()
  mock.handle({
    getMe: () =>
      ok({
        ...me,
        account_type: 'free',
        plan: 'free',
        limits: { ...me.limits, abilities: [] },
      }),
  })
  await act(() => vi.advanceTimersByTimeAsync(NEXT_READ_MS))
  expect(await screen.findByText('FREE PLAN')).toBeDefined()
  expect(screen.queryByRole('link', { name: 'Web Forwarding' })).toBeNull()
})
