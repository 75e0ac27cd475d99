import { describe, expect, test } from 'vitest'
import { ApiProblem, NetworkFailure } from '../../api/problem.ts'
import { failureOf, incomplete, passkeyFailureOf } from './sign-in-failure.ts'

describe('incomplete', () => {
  test.each([
    ['', '', ['username', 'password']],
    ['ada', '', ['password']],
    ['', 'secret', ['username']],
  ])('with %j and %j, the missing fields are %j', (username, password, fields) => {
    const failure = incomplete(username, password)
    expect(failure).toMatchObject({
      text: 'Please enter both username/email and password',
      fields,
    })
  })

  test('with both fields there is no error', () => {
    expect(incomplete('ada', 'secret')).toBeUndefined()
  })
})

describe('failureOf', () => {
  const problem = (status: number, body: object, retryAfter: string | null = null) =>
    failureOf(new ApiProblem(status, body, retryAfter))

  test('a wrong password and an unknown account give the same error', () => {
    expect(problem(401, { detail: 'whatever the server says' })).toMatchObject({
      text: 'Invalid username/email or password',
      fields: ['username', 'password'],
    })
  })

  test('an unverified email address can have its link sent again', () => {
    const detail = 'Please verify your email address before logging in.'
    expect(problem(403, { detail, code: 'email-not-verified' })).toMatchObject({
      text: detail,
      canResend: true,
    })
    expect(problem(403, { detail: 'Blocked.', code: 'account-disabled' })).toMatchObject({
      text: 'Blocked.',
      canResend: false,
    })
  })

  test('the rate limit says when to try again', () => {
    const detail = 'Too many requests. Please wait before trying again.'
    expect(problem(429, { detail }, '23')).toMatchObject({
      text: `${detail} You can try again in 23 s.`,
      waitSeconds: 23,
    })
    expect(problem(429, { detail })).toMatchObject({ text: detail, waitSeconds: 0 })
  })

  test('a response without a text has one for its status', () => {
    expect(problem(502, {}).text).toBe('Login failed. Please try again.')
    expect(problem(429, {}).text).toBe('Too many requests. Please wait before trying again.')
    expect(problem(403, {})).toMatchObject({
      text: 'Please verify your email address before logging in.',
      canResend: true,
    })
  })

  test('a missing response is a network error', () => {
    const text = 'Network error. Please try again.'
    expect(failureOf(new NetworkFailure(new TypeError('Failed to fetch')))).toMatchObject({ text })
  })
})

describe('passkeyFailureOf', () => {
  test('a refused passkey is not reported as a wrong password', () => {
    const detail = 'The service could not verify this passkey. Please try again.'
    const refused = new ApiProblem(401, { detail, code: 'wrong-credentials' }, null)
    expect(passkeyFailureOf(refused)).toMatchObject({ text: detail, fields: [] })
  })

  test('the rate limit for passkeys does not stop the user from typing a password', () => {
    const many = new ApiProblem(429, { detail: 'Too many requests.' }, '3600')
    expect(passkeyFailureOf(many)).toMatchObject({
      text: 'Too many requests. You can try again in 3600 s.',
      waitSeconds: 0,
    })
  })
})
