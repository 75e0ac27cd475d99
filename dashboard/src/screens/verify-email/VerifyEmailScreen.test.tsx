import { act, screen } from '@testing-library/react'
import { focusManager, onlineManager } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { mock, problem } from '../../../test/mock.ts'
import { openSignIn } from '../../../test/screen.tsx'

let links = 0
/** Another link for each test, because the app keeps what it knows about one. */
const open = () => openSignIn(`#verify-email/token-${(links += 1)}`)
const heading = (name: string) => screen.findByRole('heading', { level: 1, name })

test('in the browser that registered, the address is verified at once', async () => {
  open()
  expect(await heading('Email Verified!')).toBeDefined()
  expect(screen.getByText('Redirecting to login...')).toBeDefined()
  expect(mock.bodiesOf('verifyEmail')).toEqual([])
})

test('in any other browser, the person confirms', async () => {
  const detail = 'The account ada was registered with the email address ada@example.net.'
  mock.handle({ verifyEmailByLink: () => problem('email-unconfirmed', { detail }) })
  const hands = open()
  expect(await screen.findByText(detail)).toBeDefined()
  expect(mock.bodiesOf('verifyEmail')).toEqual([])
  await hands.click(screen.getByRole('button', { name: 'Verify my email address' }))
  expect(await heading('Email Verified!')).toBeDefined()
  expect(mock.bodiesOf('verifyEmail')).toEqual([{ token: `token-${links}` }])
})

test('a used link says that the address is verified', async () => {
  mock.handle({ verifyEmailByLink: () => problem('already-verified') })
  open()
  expect(await heading('Already verified')).toBeDefined()
})

test('an expired link leads to another mail', async () => {
  const detail = 'This verification link has expired. Request a new one.'
  mock.handle({ verifyEmailByLink: () => problem('link-expired', { detail }) })
  open()
  expect(await heading('Link Expired')).toBeDefined()
  const again = screen.getByRole('link', { name: 'Request New Verification Email' })
  expect(again.getAttribute('href')).toBe('#resend-verification')
})

test('an invalid link, and one without a token, lead to the sign-in', async () => {
  mock.handle({
    verifyEmailByLink: () => problem('link-invalid', { detail: 'Invalid verification link' }),
  })
  open()
  expect(await heading('Verification Failed')).toBeDefined()
  expect(screen.getByRole('alert').textContent).toBe('Invalid verification link')
  expect(screen.getByRole('link', { name: 'Go to Login' })).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull()
})

test('without a token, the link is invalid and nothing is sent', async () => {
  openSignIn('#verify-email')
  expect(await heading('Verification Failed')).toBeDefined()
  expect(screen.getByRole('alert').textContent).toBe('Invalid verification link')
  expect(mock.calls).toEqual([])
})

test('without a response, it can be tried again', async () => {
  mock.handle({ verifyEmailByLink: () => Promise.reject(new TypeError('Failed to fetch')) })
  const hands = open()
  expect((await screen.findByRole('alert')).textContent).toBe('Network error. Please try again.')
  mock.handle({ verifyEmailByLink: () => problem('already-verified') })
  await hands.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await heading('Already verified')).toBeDefined()
})

test('a return to the window does not open the link again', async () => {
  mock.handle({ verifyEmailByLink: () => problem('link-expired') })
  open()
  await heading('Link Expired')
  act(() => focusManager.setFocused(false))
  act(() => focusManager.setFocused(true))
  focusManager.setFocused(undefined)
  expect(mock.calls.map(({ id }) => id)).toEqual(['verifyEmailByLink'])
  expect(screen.queryByText('Verifying your email...')).toBeNull()
})

test('a device that is offline opens the link when it is online again', async () => {
  onlineManager.setOnline(false)
  open()
  expect(await screen.findByText(/^This device is offline\./)).toBeDefined()
  act(() => onlineManager.setOnline(true))
  expect(await heading('Email Verified!')).toBeDefined()
})
