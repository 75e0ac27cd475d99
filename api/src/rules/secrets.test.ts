import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  digestOf,
  hasSecretForm,
  mayHoldSecret,
  newSecret,
  secretKindOf,
  secretPrefix,
} from './secrets.ts'

const key = newSecret('api_key', randomBytes)
const token = newSecret('update_token', randomBytes)

test.each([
  ['ak_', 'api_key', key],
  ['ut_', 'update_token', token],
] as const)('a new secret that begins with %s has the form of one', (mark, kind, secret) => {
  expect(secret).toMatch(/^(ak|ut)_[0-9A-Za-z]{36}$/)
  expect(secret.startsWith(mark)).toBe(true)
  expect(secretKindOf(secret)).toBe(kind)
  expect(hasSecretForm(secret)).toBe(true)
  expect(secret.startsWith(secretPrefix(secret))).toBe(true)
  expect(secretPrefix(secret)).toHaveLength(10)
  expect(digestOf(secret)).toMatch(/^[0-9a-f]{64}$/)
})

test('keeps a URL unchanged, and the password fields of routers', () => {
  expect(encodeURIComponent(token)).toBe(token)
  expect(token.length).toBeGreaterThanOrEqual(20)
  expect(token.length).toBeLessThanOrEqual(63)
})

test('octets that would favour some characters are not used', () => {
  const octets = [Buffer.alloc(30, 255), Buffer.alloc(30, 61)]
  expect(newSecret('api_key', () => octets.shift() ?? Buffer.alloc(30))).toMatch(/^ak_z{30}/)
})

test('the prefix decides the kind, of valid and invalid secrets', () => {
  expect(['ak_', 'ut_x', 'AK_x', 'at_', '', 'ak'].map(secretKindOf)).toEqual([
    'api_key',
    'update_token',
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})

test.each([
  [key, true],
  [token.toLowerCase(), true],
  [`192.0.2.7${key}`, true],
  [`a=${token.slice(0, 11)}`, true],
  ['home.example.net', false],
  ['brut_force', false],
  ['ak_', false],
])('is checked for the form of a secret: %#', (text, may) => {
  expect(mayHoldSecret(text)).toBe(may)
})

describe('what has not the form', () => {
  test.each([
    ['nothing', ''],
    ['cut', key.slice(0, -1)],
    ['longer', `${key}a`],
    ['another beginning', `hk_${key.slice(3)}`],
    ['a character changed', token.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'))],
    ['two characters exchanged', `ak_${key[4]}${key[3] === key[4] ? '!' : key[3]}${key.slice(5)}`],
    ['a space', `${key} `],
  ])('%s', (_, text) => {
    expect(hasSecretForm(text)).toBe(false)
  })
})

test('scanners get a pattern that all secrets match, and an example that matches', () => {
  const guide = new URL('../../../docs/guides/api-keys.md', import.meta.url)
  const text = readFileSync(guide, 'utf8')
  const [form = ''] = /^\\b\(ak\|ut\).*$/m.exec(text) ?? []
  const secrets = new RegExp(form, 'g')
  const examples = text.match(secrets) ?? []
  expect(examples).toHaveLength(1)
  expect(examples.every(hasSecretForm)).toBe(true)
  for (const secret of [key, token]) expect(`x=${secret};`.match(secrets)).toEqual([secret])
})
