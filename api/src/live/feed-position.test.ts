import { expect, test } from 'vitest'
import { positionOfText, textOfPosition } from './feed-position.ts'

test('a position is read as it was written', () => {
  const position = new Map([
    ['1', 4_711n],
    ['5', 88n],
  ])
  expect(textOfPosition(position)).toBe('1-4711.5-88')
  expect(positionOfText('1-4711.5-88')).toEqual(position)
})

test.each([
  '',
  '1',
  '1-',
  '-1',
  '0-1',
  '1-0',
  '1-1.',
  '.1-1',
  '1-1,2-2',
  '1-9999999999999999999',
  '1-1 ',
  '1-1\n',
  'x'.repeat(10_000),
])('%j is not a position', (text) => {
  expect(positionOfText(text)).toBeUndefined()
})

test('an account with domains in too many zones has none', () => {
  const zones = (count: number) =>
    new Map(Array.from({ length: count }, (_, n) => [`${n + 1}`, 1n]))
  const text = textOfPosition(zones(50))
  expect(text && positionOfText(text)?.size).toBe(50)
  expect(textOfPosition(zones(51))).toBeUndefined()
  expect(textOfPosition(new Map())).toBeUndefined()
})
