import { screen } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { exampleOf, mock, ok, problem } from '../../../../test/mock.ts'
import { fill, openDashboard } from '../../../../test/screen.tsx'

async function request(hands: UserEvent): Promise<void> {
  await fill(hands, await screen.findByLabelText('New email address'), 'ada@example.org')
  await fill(hands, screen.getByLabelText('Current password'), 'correct horse')
  await hands.click(screen.getByRole('button', { name: 'Send Links' }))
}

test('a change of the address says that links go to both addresses', async () => {
  await request(openDashboard('#settings/email'))
  const told = await screen.findByText(/^Please open the links that we mailed to/)
  expect(told.textContent).toContain('ada@example.net and ada@example.org')
  expect(mock.bodiesOf('changeEmail')).toEqual([
    { email: 'ada@example.org', password: 'correct horse' },
  ])
  const button = screen.getByRole('button', { name: 'Send Links' })
  expect(button.getAttribute('aria-disabled')).toBe('true')
  expect(document.activeElement).toBe(button)
})

test('a wrong password is an error at its field, and the address stays', async () => {
  const errors = [{ field: 'password', message: 'This is not your current password.' }]
  mock.handle({ changeEmail: () => problem('validation-failed', { errors }) })
  await request(openDashboard('#settings/email'))
  expect(await screen.findByText('This is not your current password.')).toBeDefined()
  expect(document.activeElement).toBe(screen.getByLabelText('Current password'))
  expect(screen.getByLabelText('New email address')).toHaveProperty('value', 'ada@example.org')
})

test('the rate limit counts down', async () => {
  mock.handle({
    changeEmail: () => problem('rate-limited', { detail: 'Too many.', retryAfterSeconds: 90 }),
  })
  const hands = openDashboard('#settings/email')
  await request(hands)
  const button = await screen.findByRole('button', { name: /^Try again in \d+ s$/ })
  await hands.click(button)
  expect(mock.bodiesOf('changeEmail').length).toBe(1)
})

test('the section says when the address was changed', async () => {
  const me = { ...exampleOf('getMe'), email_changed_at: '2026-05-11T10:00:00.000Z' }
  mock.handle({ getMe: () => ok(me) })
  openDashboard('#settings/email')
  expect(await screen.findByText('Changed on 11 May 2026')).toBeDefined()
})
