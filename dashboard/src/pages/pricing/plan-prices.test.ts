import { expect, test } from 'vitest'
import { type SitePlan, yearlySavings } from './plan-prices.ts'

test.each([
  [1_000, 11_000, 1_000],
  [2_500, 27_500, 2_500],
  [1_000, 12_500, 0],
  [null, 11_000, 0],
  [0, 0, 0],
])('%s a month and %s a year save %s', (price_month_cents, price_year_cents, savings) => {
  expect(yearlySavings({ price_month_cents, price_year_cents } as SitePlan)).toBe(savings)
})
