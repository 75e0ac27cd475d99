import { expect, test } from 'vitest'
import { endsOf } from '../../api/dns-queries.ts'
import { longestBack, PERIOD_IDS, readView, spanOf, viewHash } from './view.ts'

test.each([
  '#analytics',
  '#analytics?period=24h&back=3&domain=42',
  '#analytics?by=country&value=AT&compare=off&live=on',
])('%s is read and written', (hash) => {
  expect(viewHash(readView(hash.split('?')[1] ?? ''))).toBe(hash)
})

test.each([
  'period=ten',
  'back=-1',
  'back=1.5',
  'domain=-1',
  'domain=1e9',
  'by=owner&value=7',
  'by=type',
  'value=A',
])('%s is ignored', (query) => {
  expect(viewHash(readView(query))).toBe('#analytics')
})

const NOW = Date.parse('2026-05-12T12:37:21Z')

test.each([
  ['2h', '2026-05-12T10:40:00.000Z'],
  ['7d', '2026-05-05T13:00:00.000Z'],
  ['30d', '2026-04-13T00:00:00.000Z'],
] as const)('%s begin with a whole part, and end with the present one', (period, from) => {
  expect(endsOf(spanOf({ period, back: 0 }), NOW)).toEqual({ from })
})

test('24 hours are the last ones of the service', () => {
  expect(endsOf(spanOf({ period: '24h', back: 0 }), NOW)).toEqual({})
})

test('an earlier period ends where the next one begins', () => {
  expect(endsOf(spanOf({ period: '24h', back: 1 }), NOW)).toEqual({
    from: '2026-05-10T13:00:00.000Z',
    to: '2026-05-11T13:00:00.000Z',
  })
})

test('a period is not earlier than what is kept', () => {
  expect(PERIOD_IDS.map(longestBack)).toEqual([23, 34, 4, 12, 3, 0])
  expect(readView('period=7d&back=99').back).toBe(4)
})
