import { expect, test } from 'vitest'
import { csvLine, csvRecords } from './csv.ts'

test.each([
  ['=1+1', `'=1+1`],
  ['+1', `'+1`],
  ['-1+1', `'-1+1`],
  ['-1.', `'-1.`],
  ['-1\n', `"'-1\n"`],
  ['-1', '-1'],
  ['-110.00', '-110.00'],
  ['@x', `'@x`],
  ['\tx', `'\tx`],
  ['\rx', `"'\rx"`],
  ['a,b', '"a,b"'],
  ['say "x"', '"say ""x"""'],
  ['a\nb', '"a\nb"'],
  ['home.example.net', 'home.example.net'],
])('the cell %j is %j, and is read back', (cell, written) => {
  const line = csvLine([cell, 'end'])
  expect(line).toBe(`${written},end\r\n`)
  expect(csvRecords(line)).toEqual([{ line: 1, cells: [cell, 'end'] }])
})

test('records have their line; empty lines, a byte order mark and any end of line are accepted', () => {
  expect(csvRecords('\uFEFFa,b\n\n"c\r\nd",\r\ne,f')).toEqual([
    { line: 1, cells: ['a', 'b'] },
    { line: 3, cells: ['c\r\nd', ''] },
    { line: 5, cells: ['e', 'f'] },
  ])
})

test('an open quotation mark is an error with its line', () => {
  expect(() => csvRecords('a\n"b')).toThrow('line 2')
  expect(() => csvRecords('a\nb"c')).toThrow('line 2')
})
