/** The two screens with this form: another verification mail, and a forgotten password. */
import { screen } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { mock, problem } from '../../../test/mock.ts'
import { fill, openDashboard, openSignIn } from '../../../test/screen.tsx'

const email = () => screen.findByRole('textbox', { name: 'Email' })
const press = (name: string) => screen.getByRole('button', { name })

describe('another verification mail', () => {
  test('is sent once; the form then rests', async () => {
    const hands = openSignIn('#resend-verification')
    await fill(hands, await email(), 'ada@example.net')
    await hands.keyboard('{Enter}')
    expect(
      (await screen.findByText(/a new link is on its way/)).closest('.message'),
    ).toHaveProperty('className', 'message message-success')
    expect(press('Email Sent')).toHaveProperty('disabled', true)
    expect(await email()).toHaveProperty('disabled', true)
    expect(mock.bodiesOf('resendVerification')).toEqual([{ email: 'ada@example.net' }])
  })

  test.each([
    ['rate-limited', 'message message-warn', 'Too many requests.'],
    ['unavailable', 'message message-error', 'Not now.'],
  ] as const)('refused with %s is %s', async (code, look, detail) => {
    mock.handle({ resendVerification: () => problem(code, { detail }) })
    const hands = openSignIn('#resend-verification')
    await fill(hands, await email(), 'ada@example.net')
    await hands.click(press('Send Verification Email'))
    expect((await screen.findByText(detail)).closest('.message')).toHaveProperty('className', look)
  })
})

describe('a forgotten password', () => {
  test('is answered in the same way for every address', async () => {
    const hands = openSignIn('#forgot-password')
    await fill(hands, await email(), 'nobody@example.net')
    await hands.click(press('Send Reset Link'))
    expect(await screen.findByRole('heading', { name: 'Check Your Email' })).toBeDefined()
    expect(screen.getByText(/The link expires in 1 hour/)).toBeDefined()
  })

  test('needs an address', async () => {
    const hands = openSignIn('#forgot-password')
    await email()
    await hands.click(press('Send Reset Link'))
    expect((await screen.findByRole('alert')).textContent).toBe('Please enter your email address')
    expect(mock.calls).toEqual([])
  })

  test('names the reason when a mail about a sign-in led here, also to a user who is signed in', async () => {
    openDashboard('#forgot-password?why=not-me')
    expect(await screen.findByRole('heading', { name: 'This was not me' })).toBeDefined()
  })
})
