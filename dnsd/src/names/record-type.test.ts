import { describe, expect, test } from 'vitest'
import {
  isDataType,
  RecordTypeError,
  SERVED_TYPES,
  TYPE,
  typeFromText,
  typeToText,
} from './index.ts'

describe('RFC 3597 §5: types as text', () => {
  test.each([
    ['A', 1],
    ['aaaa', 28],
    ['Https', 65],
    ['CAA', 257],
    ['TYPE1', 1],
    ['type65535', 65_535],
    ['TYPE0', 0],
    ['TYPE00731', 731],
  ])('%s is %i', (text, type) => {
    expect(typeFromText(text)).toBe(type)
  })

  test.each([
    '',
    'B',
    'TYPE',
    'TYPE65536',
    'TYPE123456',
    'TYPE-1',
    'TYPE1x',
    ' A',
    'IN',
    '1',
    '*',
    'constructor',
    '__proto__',
  ])('refuses %j', (text) => {
    expect(() => typeFromText(text)).toThrow(RecordTypeError)
  })

  test('every mnemonic comes back, and numbers without one too', () => {
    for (const [text, type] of Object.entries(TYPE)) expect(typeToText(type)).toBe(text)
    expect(typeToText(29)).toBe('TYPE29')
    for (let type = 0; type <= 65_535; type += 7) expect(typeFromText(typeToText(type))).toBe(type)
  })
})

describe('RFC 6895 §3.1: which types are records of a zone', () => {
  test.each([
    [0, false],
    [TYPE.A, true],
    [TYPE.OPT, false],
    [127, true],
    [128, false],
    [TYPE.TKEY, false],
    [TYPE.TSIG, false],
    [TYPE.IXFR, false],
    [TYPE.AXFR, false],
    [TYPE.ANY, false],
    [256, true],
    [TYPE.CAA, true],
    [65_534, true],
    [65_535, false],
    [65_536, false],
    [-1, false],
  ])('%i: %s', (type, expected) => {
    expect(isDataType(type)).toBe(expected)
  })

  test('every served type is one of them', () => {
    expect(SERVED_TYPES.filter((type) => !isDataType(type))).toEqual([])
    expect(new Set(SERVED_TYPES).size).toBe(17)
  })
})
