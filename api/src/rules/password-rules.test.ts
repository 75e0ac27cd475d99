import { expect, test } from 'vitest'
import { isMadeOfNames } from './password-rules.ts'

const NAMES = ['ada.king', 'ada@mail.example.net', 'dns.example.net']

test.each([
  ['adaking1815', true],
  ['Ada.King!2026', true],
  ['Homing-2026!', true],
  ['dyndns4ada', true],
  ['example1234', true],
  ['HOMINGhoming', true],
  ['router-of-ada', true],
  ['my homing pigeon sings', false],
  ['ada likes engines', false],
  ['correct horse battery staple', false],
  ['1234567890', false],
  ['пароль про ada', false],
  ['', false],
])('%s: %s', (password, isMade) => {
  expect(isMadeOfNames(password, NAMES)).toBe(isMade)
})

test('short names are not treated as words', () => {
  expect(isMadeOfNames('io-io-io-io', ['io'])).toBe(false)
})
