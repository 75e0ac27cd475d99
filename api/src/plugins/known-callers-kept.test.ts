import { expect, test } from 'vitest'
import { KnownCallers } from '../limits/known-callers.ts'

const counts = (accountId: string) => ({ accountId, keyId: undefined })

test('a regular caller stays known, for any number of others that come once', () => {
  const known = new KnownCallers(3)
  known.remember('ada', counts('1'))
  for (let n = 0; n < 10; n += 1) {
    known.remember(`passer-by ${n}`, counts('2'))
    expect(known.find('ada')).toEqual(counts('1'))
  }
  expect(known.find('passer-by 7')).toBeUndefined()
  expect(known.find('passer-by 9')).toEqual(counts('2'))
})

test('one credential in different spellings counts as one', () => {
  const known = new KnownCallers()
  const digest = known.digest('Bearer abc')
  for (const spelling of ['bearer abc', 'BEARER   abc', `Bearer${' '.repeat(8_000)}abc`]) {
    expect(known.digest(spelling)).toBe(digest)
  }
  expect(known.digest('Bearer abd')).not.toBe(digest)
  expect(known.digest('abc')).not.toBe(digest)
})
