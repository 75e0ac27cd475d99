import { expect, test } from 'vitest'
import { beginOf } from '../../api/dns-queries.ts'
import { PERIODS, readView, viewHash } from './view.ts'

test.each([
  '#analytics',
  '#analytics?period=24h&domain=42',
  '#analytics?by=country&value=AT&compare=off&live=on',
])('%s is read and written', (hash) => {
  expect(viewHash(readView(hash.split('?')[1] ?? ''))).toBe(hash)
})

test.each(['period=ten', 'domain=-1', 'domain=1e9', 'by=owner&value=7', 'by=type', 'value=A'])(
  '%s is ignored',
  (query) => {
    expect(viewHash(readView(query))).toBe('#analytics')
  },
)

test.each([
  ['2h', '2026-05-12T10:40:00.000Z'],
  ['24h', '2026-05-11T13:00:00.000Z'],
  ['7d', '2026-05-05T13:00:00.000Z'],
  ['30d', '2026-04-13T00:00:00.000Z'],
] as const)('%s begin with a whole part, and end with the present one', (period, begin) => {
  expect(beginOf(PERIODS[period], Date.parse('2026-05-12T12:37:21Z'))).toBe(begin)
})
