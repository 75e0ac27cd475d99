import { describe, expect, test } from 'vitest'
import { addressFaults, COUNTRIES, FIRST_COUNTRIES } from './address-rules.ts'

const ada = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.net',
  address: '12 Example Street',
  city: 'Springfield',
  state: 'IL',
  zipCode: '62701',
  country: 'US',
}

test('the countries have names, and the first ones are among them', () => {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  expect(COUNTRIES.filter((code) => names.of(code) === undefined)).toEqual([])
  expect(COUNTRIES).toHaveLength(new Set(COUNTRIES).size)
  expect(COUNTRIES).toEqual(expect.arrayContaining([...FIRST_COUNTRIES]))
})

test('every empty field of an address in the United States has the message of its name', () => {
  const empty = {
    ...ada,
    firstName: '',
    lastName: ' ',
    email: '',
    address: '',
    city: '',
    state: '',
    zipCode: '',
  }
  expect(addressFaults(empty).map(({ text }) => text)).toEqual([
    'Please fill in first name',
    'Please fill in last name',
    'Please fill in email',
    'Please fill in address',
    'Please fill in city',
    'Please fill in state',
    'Please fill in zip code',
  ])
})

describe('state and postal code', () => {
  test.each([
    ['US', ['state', 'zipCode']],
    ['JP', ['state', 'zipCode']],
    ['GB', ['zipCode']],
    ['DE', ['zipCode']],
    ['AE', ['state']],
    ['HK', []],
  ])('of %s: %j are required', (country, fields) => {
    const address = { ...ada, country, state: '', zipCode: '' }
    expect(addressFaults(address).map(({ field }) => field)).toEqual(fields)
  })
})

test.each([
  [{ email: 'ada@example' }, 'Please enter a valid email address'],
  [{ email: 'ada example@mail.test' }, 'Please enter a valid email address'],
  [{ country: 'XX' }, 'Please fill in country'],
  [{ country: '' }, 'Please fill in country'],
])('%j is refused', (change, text) => {
  expect(addressFaults({ ...ada, ...change }).map((fault) => fault.text)).toContain(text)
})
