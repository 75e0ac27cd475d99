import { expect, test } from 'vitest'
import { strengthOf } from './strength.ts'

const NAMES = ['ada.king', 'ada@example.net', 'dns.homing.test']

test.each([
  ['', 1, 'Too short: 8 more characters at least.'],
  ['x8#kQ!z', 1, 'Too short: 1 more character at least.'],
  [
    'AdaKing2026',
    1,
    'Weak: It consists mainly of your name, your address or the name of this service.',
  ],
  [
    'example-9!',
    1,
    'Weak: It consists mainly of your name, your address or the name of this service.',
  ],
  ['Password1!', 1, 'Weak: It consists mainly of a very common word.'],
  ['qwertzuiop', 1, 'Weak: It consists mainly of keys in a row.'],
  ['aaaaaaaaaaaa', 1, 'Weak: It consists mainly of keys in a row.'],
  ['87654321', 1, 'Weak: It consists mainly of keys in a row.'],
  ['19851203', 1, 'Weak: It has only digits. Add words.'],
  ['Berta2026!', 2, 'Fair: another word makes it harder to guess.'],
  ['tulipfarm', 2, 'Fair: another word makes it harder to guess.'],
  ['tulip-farm-7', 3, 'Good'],
  ['correct horse battery', 4, 'Strong'],
  ['ünïcödé wörter reichen aus', 4, 'Strong'],
])('%j is of level %i', (password, level, text) => {
  expect(strengthOf(password, NAMES)).toEqual({ level, text })
})
