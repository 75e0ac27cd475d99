import { describe, expect, test } from 'vitest'
import { ttlFromText } from './index.ts'

describe('spans of time in master files', () => {
  test.each([
    ['0', 0],
    ['3600', 3600],
    ['1h30m', 5400],
    ['1H30M', 5400],
    ['2w', 1_209_600],
    ['1w2d3h4m5s', 788_645],
    ['90s', 90],
    ['0d', 0],
    ['2147483647', 2_147_483_647],
    ['2147483647s', 2_147_483_647],
  ])('%s is %i seconds', (text, expected) => {
    expect(ttlFromText(text)).toBe(expected)
  })

  test.each([
    '',
    '-1',
    '+1',
    '1.5',
    '1x',
    'h',
    '1h30',
    '1 h',
    ' 1',
    '0x10',
    '1e3',
    '٣',
    // RFC 2181 §8: the highest bit stays zero.
    '2147483648',
    '99999999999',
    '24856d',
    '1h'.repeat(50),
  ])('refuses %j', (text) => {
    expect(ttlFromText(text)).toBeUndefined()
  })
})
