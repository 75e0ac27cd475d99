import { MessageChannel } from 'node:worker_threads'
import { expect, it, onTestFinished } from 'vitest'
import { nameFromText, TYPE } from '../names/index.ts'
import { TableReader } from '../table/index.ts'
import { type ServedZones, SharedZones, Zone, Zones } from '../zone/index.ts'
import { answer } from './answer.ts'

const apex = nameFromText('home.test.')
const seconds = { refreshSeconds: 1, retrySeconds: 1, expireSeconds: 1, minimumSeconds: 1 }
const version = (serial: bigint) => ({ serial, feedId: 'feed', token: String(serial) })
const wildcard = nameFromText('*.home.test.')
const host = nameFromText('host.home.test.')
const rrsets = [{ type: TYPE.A, ttlSeconds: 1, rdata: [Buffer.of(192, 0, 2, 1)] }]

/** A zone with a wildcard, as another thread reads it. `meanwhile` runs after each look-up. */
function readingWhile(meanwhile: (zone: Zone) => void): ServedZones {
  const zones = new Zones()
  const zone = new Zone(
    apex,
    version(1n),
    { mname: apex, rname: apex, ...seconds, ttlSeconds: 1 },
    zones.table,
  )
  zone.apply([{ owner: wildcard, rrsets }], version(2n))
  zones.set(zone)
  const { port1: port } = new MessageChannel()
  const reader = new TableReader(zones.table.handles, { worker: 0, port })
  onTestFinished(() => port.close())
  reader.enter()
  const shared = new SharedZones(reader)
  const seen = shared.answering('\u0004home\u0004test\0', TYPE.A)
  if (seen === undefined) throw new Error('the zone is not served')
  const lookUp = seen.closestEncloser.bind(seen)
  seen.closestEncloser = (key) => {
    const found = lookUp(key)
    meanwhile(zone)
    return found
  }
  return shared
}

it('does not deny a name whose wildcard was removed when the name itself was added', () => {
  let isDone = false
  const zones = readingWhile((zone) => {
    if (isDone) return
    isDone = true
    zone.apply(
      [
        { owner: wildcard, rrsets: null },
        { owner: host, rrsets },
      ],
      version(3n),
    )
  })
  const { rcode, answer: records } = answer({ qname: host, qtype: TYPE.A }, zones)
  expect({ rcode, records: records.length }).toEqual({ rcode: 'NOERROR', records: 1 })
})

it('ends while names are added and removed continuously, with a serial no newer than the data', () => {
  const serials: bigint[] = []
  const zones = readingWhile((zone) => {
    const { serial } = zone.version
    serials.push(serial)
    const owner = serial === 2n ? wildcard : nameFromText('other.home.test.')
    const change = { owner, rrsets: serial % 2n === 0n ? null : rrsets }
    zone.apply([change], version(serial + 1n))
  })
  const { rcode, authority } = answer({ qname: host, qtype: TYPE.A }, zones)
  expect(rcode).toBe('NXDOMAIN')
  const rdata = authority[0]?.rrset.rdata[0] ?? Buffer.alloc(0)
  const shown = new DataView(rdata.buffer, rdata.byteOffset).getUint32(rdata.length - 20)
  expect(BigInt(shown)).toBe(serials.at(-1))
})

it('gives no glue with authority when the cut above it was removed', () => {
  const cut = nameFromText('sub.home.test.')
  const glue = nameFromText('host.sub.home.test.')
  const ns = [{ type: TYPE.NS, ttlSeconds: 1, rdata: [glue] }]
  const other = [{ type: TYPE.A, ttlSeconds: 1, rdata: [Buffer.of(192, 0, 2, 2)] }]
  let steps = 0
  const zones = readingWhile((zone) => {
    steps += 1
    const states = [
      [
        { owner: glue, rrsets },
        { owner: cut, rrsets: ns },
      ],
      [
        { owner: cut, rrsets },
        { owner: glue, rrsets: other },
      ],
    ][steps - 1]
    if (states !== undefined) zone.apply(states, version(BigInt(steps + 2)))
  })
  // The first look-up is for the wildcard, and adds the cut; the second one removes it.
  answer({ qname: host, qtype: TYPE.A }, zones)
  const { answer: records } = answer({ qname: glue, qtype: TYPE.A }, zones)
  expect(records.map(({ rrset }) => rrset)).toEqual(other)
})
