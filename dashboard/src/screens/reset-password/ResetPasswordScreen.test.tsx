import { screen } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { describe, expect, test } from 'vitest'
import { exampleOf, mock, ok, problem } from '../../../test/mock.ts'
import { fill, openDashboard, openSignIn } from '../../../test/screen.tsx'

const NONE = { api_keys: 0, update_tokens: 0, trust_policies: 0, passkeys: 0 }
let links = 0
/** Another link for each test, because the app keeps what it knows about one. */
const nextLink = () => `#reset-password/token-${(links += 1)}`

async function open(): Promise<UserEvent> {
  const hands = openSignIn(nextLink())
  await screen.findByLabelText('New Password')
  return hands
}

async function submit(hands: UserEvent, password: string, repeated = password): Promise<void> {
  await fill(hands, screen.getByLabelText('New Password'), password)
  await fill(hands, screen.getByLabelText('Confirm New Password'), repeated)
  await hands.click(screen.getByRole('button', { name: 'Reset Password' }))
}

const GOOD = 'correct horse battery'
const alert = async () => (await screen.findByRole('alert')).textContent

test('the new password is set for the account that the screen names', async () => {
  const hands = await open()
  expect(screen.getByText('ada')).toBeDefined()
  await submit(hands, GOOD)
  expect(await screen.findByRole('heading', { name: 'Password Reset Successful!' })).toBeDefined()
  expect(screen.getByText('All sessions, on every device')).toBeDefined()
  expect(screen.getByRole('heading', { name: 'Still works' })).toBeDefined()
  expect(screen.getByText('2 update tokens')).toBeDefined()
  expect(mock.bodiesOf('resetPassword')).toEqual([{ token: `token-${links}`, new_password: GOOD }])
})

test('with it, all other credentials can be revoked', async () => {
  mock.handle({
    resetPassword: () => ok({ ...exampleOf('resetPassword'), working_credentials: NONE }),
  })
  const hands = await open()
  await hands.click(screen.getByRole('checkbox', { name: /^Also revoke 1 API key, 2 update/ }))
  await submit(hands, GOOD)
  expect(await screen.findByText('1 trusted pipeline')).toBeDefined()
  expect(screen.queryByRole('heading', { name: 'Still works' })).toBeNull()
  expect(mock.bodiesOf('resetPassword')).toMatchObject([{ revoke_credentials: true }])
})

test('this browser is signed out of the account', async () => {
  const hands = openDashboard(nextLink())
  await screen.findByLabelText('New Password')
  await submit(hands, GOOD)
  await hands.click(await screen.findByRole('link', { name: 'Go to Login' }))
  expect(await screen.findByText('You are signed out.')).toBeDefined()
})

describe('an error is shown, and what was typed stays:', () => {
  test.each([
    ['', '', 'Please fill in all fields'],
    ['short', 'short', 'Password must be at least 8 characters long'],
    [GOOD, 'another one', 'Passwords do not match'],
  ])('%j and %j', async (password, repeated, text) => {
    const hands = await open()
    await submit(hands, password, repeated)
    expect(await alert()).toBe(text)
    expect(screen.getByLabelText('New Password')).toHaveProperty('value', password)
    expect(mock.bodiesOf('resetPassword')).toEqual([])
  })

  test('the service refuses the password', async () => {
    const errors = [{ field: 'new_password', message: 'This password is leaked.' }]
    mock.handle({ resetPassword: () => problem('validation-failed', { errors }) })
    const hands = await open()
    await submit(hands, GOOD)
    expect(await alert()).toBe('This password is leaked.')
    expect(screen.getByLabelText('New Password')).toHaveProperty('value', GOOD)
  })
})

describe('a link that does not work leads to another one:', () => {
  const invalid = async () => {
    expect(await screen.findByRole('heading', { name: 'Invalid or Expired Link' })).toBeDefined()
    const again = screen.getByRole('link', { name: 'Request New Reset Link' })
    expect(again.getAttribute('href')).toBe('#forgot-password')
  }

  test('one without a token', async () => {
    openSignIn('#reset-password')
    await invalid()
    expect(screen.getByRole('alert').textContent).toBe('Invalid or missing reset token')
  })

  test('one that is expired', async () => {
    const detail = 'This reset link has expired. Request a new one.'
    mock.handle({ verifyResetToken: () => problem('link-expired', { detail }) })
    openSignIn(nextLink())
    await invalid()
    expect(screen.getByRole('alert').textContent).toBe(detail)
  })

  test('one that was used in the meantime', async () => {
    mock.handle({
      resetPassword: () => problem('link-invalid', { detail: 'Invalid or expired reset token' }),
    })
    await submit(await open(), GOOD)
    await invalid()
    expect(screen.getByRole('alert').textContent).toBe('Invalid or expired reset token')
  })
})

test('a service that does not answer can be asked again', async () => {
  mock.handle({ verifyResetToken: () => problem('validation-failed', { detail: 'Not now.' }) })
  const hands = openSignIn(nextLink())
  expect(await alert()).toContain('Not now.')
  mock.handle({ verifyResetToken: () => ok(exampleOf('verifyResetToken')) })
  await hands.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByText('ada')).toBeDefined()
})
