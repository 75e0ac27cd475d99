import { expect, test } from 'vitest'
import { money } from '../../components/money.ts'
import { type SitePlan, yearlySavings } from './money.ts'

test.each([
  [1_000, 'USD', '$10'],
  [27_500, 'USD', '$275'],
  [1_050, 'EUR', '€10.50'],
  [0, 'USD', '$0'],
])('%i cents of %s are %s', (cents, currency, text) => {
  expect(money(cents, currency)).toBe(text)
})

test.each([
  [1_000, 11_000, 1_000],
  [2_500, 27_500, 2_500],
  [1_000, 12_500, 0],
  [null, 11_000, 0],
  [0, 0, 0],
])('%s a month and %s a year save %s', (price_month_cents, price_year_cents, savings) => {
  expect(yearlySavings({ price_month_cents, price_year_cents } as SitePlan)).toBe(savings)
})
