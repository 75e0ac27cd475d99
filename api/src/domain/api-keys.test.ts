import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { apiKeyPrefix, looksLikeApiKey, newApiKey } from './api-keys.ts'

const key = newApiKey(randomBytes)

test('a new key has the form of a key', () => {
  expect(key).toMatch(/^ak_[0-9A-Za-z]{36}$/)
  expect(looksLikeApiKey(key)).toBe(true)
  expect(key.startsWith(apiKeyPrefix(key))).toBe(true)
  expect(apiKeyPrefix(key)).toHaveLength(10)
})

test('octets that would favour some characters are not used', () => {
  const octets = [Buffer.alloc(30, 255), Buffer.alloc(30, 61)]
  expect(newApiKey(() => octets.shift() ?? Buffer.alloc(30))).toMatch(/^ak_z{30}/)
})

describe('what is no key', () => {
  test.each([
    ['nothing', ''],
    ['cut', key.slice(0, -1)],
    ['longer', `${key}a`],
    ['another beginning', `hk_${key.slice(3)}`],
    ['a character changed', key.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'))],
    ['two characters exchanged', `ak_${key[4]}${key[3] === key[4] ? '!' : key[3]}${key.slice(5)}`],
    ['a space', `${key} `],
  ])('%s', (_, text) => {
    expect(looksLikeApiKey(text)).toBe(false)
  })
})
