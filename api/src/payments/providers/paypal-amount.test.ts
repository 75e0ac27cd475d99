import { describe, expect, test } from 'vitest'
import { centsOf, moneyOf } from './paypal-amount.ts'

const usd = (value: string) => centsOf({ value, currency_code: 'USD' })

describe('an amount of PayPal', () => {
  test.each([
    ['10.00', 1_000],
    ['10.0', 1_000],
    ['10', 1_000],
    ['.5', 50],
    ['0.07', 7],
    ['1.10', 110],
    ['19.99', 1_999],
    ['1.0000', 100],
    ['4.35', 435],
    ['8589934592.01', 858_993_459_201],
    ['-2.50', -250],
    ['-0', 0],
  ])('%s', (text, cents) => {
    expect(usd(text)).toBe(cents)
  })

  test.each(['10.', '1.005', '', '-', '.', '1e3', '1,000.00', ' 1', 'NaN'])(
    '%j is not an amount',
    (text) => {
      expect(() => usd(text)).toThrow('not USD')
    },
  )

  test('of a currency without a smaller unit', () => {
    expect(centsOf({ value: '1100', currency_code: 'JPY' })).toBe(1_100)
    expect(centsOf({ value: '1100.00', currency_code: 'JPY' })).toBe(1_100)
    expect(() => centsOf({ value: '1.5', currency_code: 'JPY' })).toThrow('not JPY')
    expect(moneyOf(1_100, 'JPY').value).toBe('1100')
  })

  test('is written with two decimals', () => {
    expect([0, 7, 50, 1_000, 27_500].map((cents) => moneyOf(cents, 'USD').value)).toEqual([
      '0.00',
      '0.07',
      '0.50',
      '10.00',
      '275.00',
    ])
  })
})
