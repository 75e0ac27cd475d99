import { expect, test } from 'vitest'
import { exampleOf } from '../../../../test/mock.ts'
import type { UpdateCall } from '../../../api/update-calls.ts'
import { readingOf } from './reading.ts'

const [example] = exampleOf('listUpdateCalls')
const read = (changes: Partial<UpdateCall>) =>
  readingOf({ ...(example as UpdateCall), ...changes })[1]

test.each<[Partial<UpdateCall>, string | undefined]>([
  [
    { said: 'hostname=home.example.net myip=198.51.100.7', answer: 'good 198.51.100.7' },
    'The call contained 198.51.100.7.',
  ],
  [
    { said: 'myip=198.51.100.7,2001:db8::7', answer: 'nochg 198.51.100.7,2001:db8::7' },
    'The call contained 198.51.100.7 and 2001:db8::7.',
  ],
  [
    { said: 'hostname=home.example.net', answer: 'good 198.51.100.7' },
    'The call contained no address, so the service used the source address: 198.51.100.7.',
  ],
  [{ said: 'myip=<ipaddr>', answer: 'dnserr' }, 'The domain was not changed.'],
  [{ said: 'domains=home', dialect: 'duckdns', answer: 'OK' }, undefined],
  [
    { answer: 'badauth', is_refused: true },
    'The username, password or token was not accepted, so nothing was changed.',
  ],
])('%j: %s', (changes, expected) => {
  expect(read(changes)).toBe(expected)
})
