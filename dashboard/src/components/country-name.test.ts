import { expect, test } from 'vitest'
import { countryName, flagOf } from './country-name.ts'

test.each([
  ['AT', '🇦🇹', 'Austria'],
  ['ZZ', undefined, 'Unknown country'],
  ['other', undefined, 'other'],
])('the country %s has the flag %s and the name %s', (code, flag, name) => {
  expect([flagOf(code), countryName(code)]).toEqual([flag, name])
})
