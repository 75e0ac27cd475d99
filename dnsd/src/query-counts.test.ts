import { expect, it } from 'vitest'
import { TYPE } from './names/index.ts'
import { QueryCounts } from './query-counts.ts'
import type { Answered } from './server/index.ts'

const answered: Answered = {
  transport: 'udp',
  qtype: TYPE.A,
  rcode: 'NOERROR',
  octets: 100,
  truncated: false,
}

it('counts by transport, RCODE and type, and types without a name together', () => {
  const counts = new QueryCounts()
  const rest = [
    answered,
    answered,
    { ...answered, transport: 'tcp' },
    { ...answered, rcode: 'NXDOMAIN', qtype: TYPE.ANY },
    { ...answered, qtype: 4711 },
    { ...answered, qtype: 4712 },
    { ...answered, rcode: 'FORMERR', qtype: undefined },
  ] satisfies Answered[]
  for (const each of rest) counts.add(each)
  const lines = [...counts].map(({ transport, rcode, type, count }) =>
    [transport, rcode, type, count].join(' '),
  )
  expect(lines.toSorted((a, b) => a.localeCompare(b))).toEqual([
    'tcp NOERROR A 1',
    'udp FORMERR other 1',
    'udp NOERROR A 2',
    'udp NOERROR other 2',
    'udp NXDOMAIN ANY 1',
  ])
})
