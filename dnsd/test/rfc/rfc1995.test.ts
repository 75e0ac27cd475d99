import { describe, expect, it } from 'vitest'
import { nameFromText, rdataFromText, TYPE, typeFromText } from '../../src/names/index.ts'
import { SnapshotAndLog, ZoneStore } from '../../src/store/index.ts'
import type { OwnerState } from '../../src/zone/index.ts'
import { read } from '../support/ask.ts'
import { MemoryDisk } from '../support/memory-disk.ts'
import { requestOctets } from '../support/request-octets.ts'
import { accessOf, keyNamed, sendingTo, signedRequest } from '../support/signed.ts'
import { recordEvents } from '../support/store-events.ts'
import { ixfrRequest, nextSet, received, transferServer } from '../support/transfers.ts'
import { zoneFromText } from '../support/zone-text.ts'

const CLIENT = '192.0.2.1'
const NOW = 1_795_280_104
const apex = nameFromText('home.test.')
const everybody = {
  zones: 'every',
  allow: [{ key: undefined, networks: [{ address: '0.0.0.0', prefixBits: 0 }] }],
  notify: [],
} as const
const soa = (serial: number) =>
  `home.test 3600 SOA ns1.home.test hostmaster.home.test ${serial} 3600 600 1209600 60`

/** A name with records as `TTL TYPE RDATA`; null when it is deleted. */
function state(name: string, ...records: readonly (string | null)[]): OwnerState {
  const owner = nameFromText(name, apex)
  if (records[0] === null) return { owner, rrsets: null }
  const sets = new Map<number, { type: number; ttlSeconds: number; rdata: Buffer[] }>()
  for (const record of records) {
    const [ttl = '', typeText = '', ...rest] = (record ?? '').split(' ')
    const type = typeFromText(typeText)
    const set = sets.get(type) ?? { type, ttlSeconds: Number(ttl), rdata: [] }
    set.rdata.push(rdataFromText(type, rest.join(' '), apex))
    sets.set(type, set)
  }
  return { owner, rrsets: [...sets.values()] }
}

/** A zone at serial 7 with a journal, and its answer to IXFR. */
async function changing(text = 'alice 60 A 192.0.2.1\nbob 60 TXT one\nbob 60 TXT two') {
  const store = new ZoneStore()
  const { events } = recordEvents()
  const disk = await SnapshotAndLog.open({
    folder: 'folder',
    store,
    events,
    files: new MemoryDisk(),
  })
  const zone = zoneFromText('home.test.', text)
  await store.replace('1', zone)
  const access = accessOf([], [everybody])
  const { server, sent } = transferServer({ store, history: disk.history, access: () => access })
  return {
    store,
    sent,
    change: (...states: readonly OwnerState[]) => store.apply('1', [nextSet(zone, states)]),
    ask: async (serial: number) =>
      (await received(server.begin(ixfrRequest('home.test', serial), CLIENT))).records,
    answer: (request: Buffer) => received(server.begin(request, CLIENT)),
  }
}

describe('RFC 1995 §4: differences', () => {
  it('have the removals after the old SOA and the additions after the new one', async () => {
    const { change, ask, sent } = await changing()
    await change(state('alice', '60 A 192.0.2.2'), state('carol', '60 AAAA 2001:db8::1'))
    expect(await ask(7)).toEqual([
      soa(8),
      soa(7),
      'alice.home.test 60 A 192.0.2.1',
      soa(8),
      'alice.home.test 60 A 192.0.2.2',
      'carol.home.test 60 AAAA 2001:db8::1',
      soa(8),
    ])
    expect(sent).toMatchObject([{ asked: 'IXFR', kind: 'differences', serial: 8 }])
  })

  it('leave out unchanged records, and treat another TTL as another record', async () => {
    const { change, ask } = await changing()
    await change(state('bob', '60 TXT two', '60 TXT three'), state('alice', '30 A 192.0.2.1'))
    expect(await ask(7)).toEqual([
      soa(8),
      soa(7),
      'bob.home.test 60 TXT "one"',
      'alice.home.test 60 A 192.0.2.1',
      soa(8),
      'bob.home.test 60 TXT "three"',
      'alice.home.test 30 A 192.0.2.1',
      soa(8),
    ])
  })

  it('§4: are condensed over several versions', async () => {
    const { change, ask } = await changing()
    await change(state('alice', '60 A 192.0.2.2'))
    await change(state('alice', '60 A 192.0.2.3'), state('dave', '60 A 192.0.2.4'))
    await change(state('dave', null), state('bob', null))
    expect(await ask(7)).toEqual([
      soa(10),
      soa(7),
      'alice.home.test 60 A 192.0.2.1',
      'bob.home.test 60 TXT "one"',
      'bob.home.test 60 TXT "two"',
      soa(10),
      'alice.home.test 60 A 192.0.2.3',
      soa(10),
    ])
    expect(await ask(9)).toHaveLength(7)
  })

  it('of thousands of names arrive in several steps, each from the end of the last', async () => {
    const { change, ask } = await changing()
    for (let set = 0; set < 24; set++) {
      const names = Array.from({ length: 500 }, (_, n) => state(`h${set}-${n}`, '60 A 192.0.2.1'))
      await change(...names)
    }
    const records = await ask(7)
    const steps = records
      .filter((line) => line.includes(' SOA '))
      .map((line) => Number(line.split(' ')[5]))
    expect(steps).toEqual([31, 7, 17, 17, 27, 27, 31, 31])
    expect(records).toHaveLength(12_000 + steps.length)
  })

  it('§4: the whole zone is sent if the history does not reach back far enough', async () => {
    const { change, ask, sent } = await changing('alice 60 A 192.0.2.1')
    await change(state('alice', '60 A 192.0.2.2'))
    expect(await ask(3)).toEqual([soa(8), 'alice.home.test 60 A 192.0.2.2', soa(8)])
    expect(sent).toMatchObject([{ asked: 'IXFR', kind: 'whole' }])
  })

  it('§2: a client that is not behind gets only the SOA', async () => {
    const { change, ask, sent } = await changing()
    await change(state('alice', '60 A 192.0.2.2'))
    for (const serial of [8, 9, 2 ** 31 - 1]) expect(await ask(serial)).toEqual([soa(8)])
    expect(new Set(sent.map(({ kind }) => kind))).toEqual(new Set(['nothing-new']))
  })

  it('§3: without the client’s SOA, the request is a FORMERR', async () => {
    const { answer } = await changing()
    const { read: messages } = await answer(requestOctets('home.test', 'IXFR'))
    expect(messages.map(({ rcode }) => rcode)).toEqual(['FORMERR'])
  })
})

describe('RFC 1995 §2: IXFR over UDP', () => {
  const key = keyNamed('transfer-key')
  const zone = zoneFromText('home.test.', 'alice 60 A 192.0.2.1')
  const toKey = { zones: 'every', allow: [{ key, networks: undefined }], notify: [] } as const

  it('is answered with only the SOA, so that clients that are behind retry over TCP', () => {
    const send = sendingTo([zone], accessOf([], [everybody]), NOW)
    for (const serial of [3, 7]) {
      const answer = send(ixfrRequest('home.test', serial))
      expect(read(answer)).toMatchObject({
        rcode: 'NOERROR',
        flags: 'qr aa',
        answer: [soa(7)],
        authority: [],
      })
      expect(answer.readUInt16BE(12 + 11)).toBe(TYPE.IXFR)
    }
  })

  it('is only for clients that may transfer the zone', () => {
    const send = sendingTo([zone], accessOf([key], [toKey]), NOW)
    expect(read(send(ixfrRequest('home.test', 3))).rcode).toBe('REFUSED')
    const { octets } = signedRequest(key, ixfrRequest('home.test', 3), NOW)
    expect(read(send(octets)).answer).toEqual([soa(7)])
  })

  it('is refused for a zone that lost changes', () => {
    const incomplete = zoneFromText('home.test.', '')
    incomplete.markIncomplete()
    const send = sendingTo([incomplete], accessOf([], [everybody]), NOW)
    expect(read(send(ixfrRequest('home.test', 3))).rcode).toBe('REFUSED')
  })

  it('is only for zones', () => {
    const send = sendingTo([zone], accessOf([], [everybody]), NOW)
    for (const name of ['alice.home.test', 'example']) {
      expect(read(send(ixfrRequest(name, 3))).rcode).toBe('REFUSED')
    }
  })

  it('AXFR is refused there (RFC 5936 §4.2)', () => {
    const send = sendingTo([zone], accessOf([], [everybody]), NOW)
    expect(read(send(requestOctets('home.test', 'AXFR'))).rcode).toBe('REFUSED')
  })
})
