import { describe, expect, test } from 'vitest'
import { passwordFaults } from '../settings/password/password-faults.ts'
import { credentialsText } from './working-credentials.ts'

describe('passwordFaults', () => {
  const good = {
    current_password: 'correct horse',
    new_password: 'battery staple',
    repeated_password: 'battery staple',
  }

  test.each([
    [
      { ...good, current_password: '', repeated_password: '' },
      ['current_password', 'repeated_password'],
      'Please fill in all fields',
    ],
    [
      { ...good, new_password: 'short', repeated_password: 'short' },
      ['new_password'],
      'Password must be at least 8 characters long',
    ],
    [
      { ...good, repeated_password: 'battery stable' },
      ['repeated_password'],
      'Passwords do not match',
    ],
    [good, [], ''],
  ])('of %j are at %j', (typed, fields, message) => {
    expect(passwordFaults(typed)).toEqual(fields.map((field) => ({ field, message })))
  })
})

test('credentialsText counts what works', () => {
  const none = { api_keys: 0, update_tokens: 0, trust_policies: 0, passkeys: 0 }
  expect(credentialsText(none)).toBe('')
  expect(credentialsText({ ...none, api_keys: 1, update_tokens: 2, passkeys: 1 })).toBe(
    '1 API key, 2 update tokens and 1 passkey',
  )
})
