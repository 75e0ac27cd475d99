/** Which kind is kept, by what answers on the ports of an address. */
import { expect, test } from 'vitest'
import type { OutgoingResponse } from '../../integrations/outgoing-http/follow.ts'
import {
  type OutgoingCode,
  OutgoingFailure,
} from '../../integrations/outgoing-http/outgoing-failure.ts'
import type { TargetRequest, TcpTarget } from '../../integrations/outgoing-http/outgoing-http.ts'
import { firstProbe } from './first-probe.ts'

const ADDRESS = '192.0.2.7'
/** Ports that accept connections, and the status with which http answers on them. */
type Open = Readonly<Record<number, number | OutgoingCode>>

function doorTo(open: Open, otherwise: OutgoingCode) {
  const asked: string[] = []
  const fail = (code: OutgoingCode) => {
    throw new OutgoingFailure(code, `It failed: ${code}.`)
  }
  return {
    asked,
    async tcp({ address, port }: TcpTarget) {
      if (address !== ADDRESS || !(port in open)) fail(otherwise)
      return { connectMs: 1 }
    },
    async target({ url, connectTo, redirectLimit }: TargetRequest): Promise<OutgoingResponse> {
      asked.push(url)
      expect([connectTo, redirectLimit]).toEqual([ADDRESS, 3])
      const answer = open[url.startsWith('https:') ? 443 : 80]
      if (typeof answer !== 'number') return fail(answer ?? 'refused')
      const hop = { status: answer, headers: {}, url, address: ADDRESS, phaseMs: {} }
      return { ...hop, body: Buffer.alloc(0), isCut: false, hops: [hop], totalMs: 1 }
    },
  }
}

const HTTPS = 'https://home.example.net/'
const HTTP = 'http://home.example.net/'

test.each<[string, Open, object | null, string[]]>([
  ['https first', { 443: 200, 80: 200, 22: 0 }, { kind: 'https', port: null }, [HTTPS]],
  ['a redirect is an answer', { 443: 302 }, { kind: 'https', port: null }, [HTTPS]],
  [
    'http, if https fails',
    { 443: 'tls-expired', 80: 200 },
    { kind: 'http', port: null },
    [HTTPS, HTTP],
  ],
  [
    '400 does not count as an answer',
    { 443: 400, 80: 404 },
    { kind: 'tcp', port: 443 },
    [HTTPS, HTTP],
  ],
  ['a port that accepts connections', { 80: 503, 22: 0 }, { kind: 'tcp', port: 80 }, [HTTP]],
  ['ssh alone', { 22: 0 }, { kind: 'tcp', port: 22 }, []],
  ['nothing', {}, null, []],
])('%s', async (_what, open, found, asked) => {
  const door = doorTo(open, 'timeout')
  const first = await firstProbe({ fqdn: 'home.example.net' }, ADDRESS, door)
  expect(first.found).toEqual(found)
  expect(first.result.outcome).toBe(found === null ? 'down' : 'up')
  expect(door.asked).toEqual(asked)
})
