import { encode } from 'dns-packet'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { matchOf, readAnswer } from './answer.ts'
import { makeQuery } from './question.ts'

const FROM = { server: { address: '192.0.2.53', port: 53 }, transport: 'udp' } as const
const query = makeQuery({ name: 'home.test', type: 'A' })
const whole = encode({
  type: 'response',
  id: query.id,
  questions: [{ name: 'home.test', type: 'A' }],
  answers: [
    { type: 'CNAME', name: 'home.test', ttl: 1, data: 'other.test' },
    { type: 'MX', name: 'other.test', ttl: 1, data: { preference: 1, exchange: 'mx.test' } },
  ],
})

it('reads any octets, or says by an error that it cannot', () => {
  const octets = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 6 }).map((changes) => {
      const changed = Uint8Array.from(whole)
      for (const [at, octet] of changes) changed[at] = octet
      return changed
    }),
  )
  const readable = (packet: Buffer): boolean => {
    matchOf(packet, query)
    try {
      readAnswer(packet, FROM)
      return true
    } catch (error) {
      if (error instanceof Error) return false
      throw error
    }
  }
  let read = 0
  const property = fc.property(octets, (message) => {
    if (readable(Buffer.from(message))) read += 1
  })
  fc.assert(property, { seed: 1035, numRuns: 20_000 })
  expect(read).toBeGreaterThan(100)
})
