import { expect, test } from 'vitest'
import { PasswordMemory } from './password-memory.ts'

const HOME = '198.51.100.1'
const right = { userId: '7', credentialVersion: 1 }
const key = Buffer.alloc(32, 1)

test('remembers for ten minutes', () => {
  let now = 0
  const memory = new PasswordMemory(key, () => now)
  const digest = memory.digest('ada', 'secret')
  memory.remember(digest, HOME, right)
  now = 599_999
  expect(memory.recall(digest, HOME)).toMatchObject(right)
  now = 600_000
  expect(memory.recall(digest, HOME)).toBeUndefined()
})

test('remembers a password only for its source address', () => {
  const memory = new PasswordMemory(key)
  const digest = memory.digest('ada', 'secret')
  memory.remember(digest, HOME, right)
  expect(memory.recall(digest, '198.51.100.2')).toBeUndefined()
  expect(memory.recall(digest, '198.51.100.11')).toBeUndefined()
  expect(memory.recall(digest, HOME)).toMatchObject(right)
})

test('forgets what it is told to forget, and ignores unknown entries', () => {
  const memory = new PasswordMemory(key)
  const digest = memory.digest('ada', 'secret')
  memory.remember(digest, HOME, right)
  memory.forget(digest, HOME)
  expect(memory.recall(digest, HOME)).toBeUndefined()
})

test('has a bounded number of entries, the newest', () => {
  const memory = new PasswordMemory(key)
  for (let n = 0; n < 50_001; n += 1) memory.remember(`${n} `, HOME, right)
  expect(memory.recall('0 ', HOME)).toBeUndefined()
  expect(memory.recall('1 ', HOME)).toMatchObject(right)
  expect(memory.recall('50000 ', HOME)).toMatchObject(right)
})

test('the digest depends on name, password and key, and not on the case of the name', () => {
  const memory = new PasswordMemory(key)
  const digests = [
    memory.digest('ada', 'secret'),
    memory.digest('ada', 'Secret'),
    memory.digest('adas', 'ecret'),
    new PasswordMemory(Buffer.alloc(32, 2)).digest('ada', 'secret'),
  ]
  expect(new Set(digests).size).toBe(4)
  expect(memory.digest('ADA', 'secret')).toBe(digests[0])
})

test('remembers for an hour the accounts for which a password was wrong, up to a limit', () => {
  let now = 0
  const memory = new PasswordMemory(key, () => now)
  memory.rememberWrong('digest', '7 1')
  now = 3_599_999
  expect(memory.recallWrong('digest')).toBe('7 1')
  expect(memory.recall('digest', HOME)).toBeUndefined()
  now = 3_600_000
  expect(memory.recallWrong('digest')).toBeUndefined()
  for (let n = 0; n < 20_001; n += 1) memory.rememberWrong(String(n), '7 1')
  expect(memory.recallWrong('0')).toBeUndefined()
  expect(memory.recallWrong('1')).toBe('7 1')
})
