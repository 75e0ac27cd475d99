import { createSocket, type RemoteInfo } from 'node:dgram'
import { once } from 'node:events'
import { afterEach, describe, expect, it } from 'vitest'
import { nameFromText, nameKey } from '../../src/names/index.ts'
import { Notifier, type NotifyTimes } from '../../src/transfer/notifier.ts'
import type { TsigKey } from '../../src/wire/tsig-key.ts'
import { findTsig } from '../../src/wire/tsig-record.ts'
import { checkTsig, TsigSigner } from '../../src/wire/tsig-signature.ts'
import { asking, read } from '../support/ask.ts'
import { accessOf, keyNamed } from '../support/signed.ts'
import { nextSet, recordTransfers, storeOf } from '../support/transfers.ts'
import { zoneFromText } from '../support/zone-text.ts'

const NOW = 1_795_280_104
const home = nameKey(nameFromText('home.test.'))
const soa = (serial: number, zone = 'home.test') =>
  `${zone} 3600 SOA ns1.${zone} hostmaster.${zone} ${serial} 3600 600 1209600 60`

const closing: (() => unknown)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** A secondary that records the received messages and answers when the test says so. */
async function secondary() {
  const socket = createSocket('udp4')
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  closing.push(() => socket.close())
  const arrived: { packet: Buffer; from: RemoteInfo }[] = []
  let wake = (): void => undefined
  socket.on('message', (packet, from) => {
    arrived.push({ packet, from })
    wake()
  })
  return {
    port: socket.address().port,
    arrived,
    async next() {
      while (arrived.length === 0) await new Promise<void>((resume) => (wake = resume))
      const [first] = arrived.splice(0, 1)
      if (first === undefined) throw new Error('nothing arrived')
      return first
    },
    answer(
      { packet, from }: { packet: Buffer; from: RemoteInfo },
      rcode = 0,
      sign = (one: Buffer) => one,
    ) {
      const answer = Buffer.from(packet.subarray(0, 12 + 11 + 4))
      answer[2] = (answer[2] ?? 0) | 0x80
      answer[3] = rcode
      answer.fill(0, 6, 12)
      socket.send(sign(answer), from.port, from.address)
    },
  }
}

type Secondary = Awaited<ReturnType<typeof secondary>>

/** A notifier of a zone for these secondaries. */
async function notifying(
  secondaries: readonly Secondary[],
  times: Partial<NotifyTimes> = {},
  key?: TsigKey,
) {
  const zone = zoneFromText('home.test.', '')
  const store = await storeOf(zone)
  const notify = secondaries.map(({ port }) => ({ address: '127.0.0.1', port, key }))
  const access = accessOf(key === undefined ? [] : [key], [{ zones: 'every', allow: [], notify }])
  const { events, told } = recordTransfers()
  const told1 = Promise.withResolvers<void>()
  const notifier = new Notifier({
    zone: (apexKey) => store.zones.get(apexKey),
    access: () => access,
    events: {
      ...events,
      acknowledged(...what) {
        events.acknowledged(...what)
        told1.resolve()
      },
      unacknowledged(...what) {
        events.unacknowledged(...what)
        told1.resolve()
      },
    },
    hosts: ['127.0.0.1'],
    times: { gapMs: 0, ...times },
    nowSeconds: () => NOW,
  })
  closing.push(() => notifier.close())
  const change = async () => {
    await store.apply('1', [nextSet(store.held('1') ?? zone, [])])
    notifier.changed(home)
  }
  return { notifier, store, change, told, firstTold: told1.promise }
}

// Zones come from the database: this server is not a secondary.
describe('RFC 1996 §3: received messages', () => {
  it('is not implemented and without effect', () => {
    const zone = zoneFromText('home.test.', 'alice 60 A 192.0.2.1')
    const before = [...zone.owners()]
    const reply = asking(zone)('home.test', 'SOA', { opcode: 4 })
    expect([reply.rcode, reply.opcode, reply.flags, reply.answer]).toEqual(['NOTIMP', 4, 'qr', []])
    expect([...zone.owners()]).toEqual(before)
  })
})

describe('RFC 1996 §3: a changed zone', () => {
  it('is announced at once, with its new SOA, to each secondary', async () => {
    const two = [await secondary(), await secondary()]
    const { change } = await notifying(two)
    await change()
    for (const each of two) {
      const { packet } = await each.next()
      expect(read(packet)).toMatchObject({ opcode: 4, flags: 'aa', questions: 1, answer: [soa(8)] })
    }
  })

  it('§3.6: is announced again without an answer, with the same ID, and then given up', async () => {
    const deaf = await secondary()
    const { change, told, firstTold } = await notifying([deaf], { answerMs: 1, tries: 3 })
    await change()
    const ids = [await deaf.next(), await deaf.next(), await deaf.next()].map(
      ({ packet }) => read(packet).id,
    )
    await firstTold
    expect(new Set(ids).size).toBe(1)
    expect(told).toEqual([`unacknowledged home.test 127.0.0.1 port ${deaf.port} no answer`])
  })

  it('is announced once, for any number of changes before the answer', async () => {
    const slow = await secondary()
    const { change, firstTold, told } = await notifying([slow], { answerMs: 60_000 })
    for (let times = 0; times < 20; times++) await change()
    const first = await slow.next()
    expect(read(first.packet).answer).toEqual([soa(8)])
    slow.answer(first)
    // The next message covers all changes since.
    const second = await slow.next()
    expect(read(second.packet).answer).toEqual([soa(27)])
    await firstTold
    slow.answer(second)
    expect(told).toEqual([`acknowledged home.test 127.0.0.1 port ${slow.port}`])
    expect(slow.arrived).toEqual([])
  })

  it('is announced later if the last message was sent recently', async () => {
    const quick = await secondary()
    // Both changes below fall into it, also on a busy machine.
    const gapMs = 500
    const { change, firstTold } = await notifying([quick], { gapMs })
    await change()
    const began = performance.now()
    quick.answer(await quick.next())
    await firstTold
    await change()
    await change()
    expect(read((await quick.next()).packet).answer).toEqual([soa(10)])
    expect(performance.now() - began).toBeGreaterThan(gapMs / 2)
  })

  it('is not announced again to a secondary that refuses', async () => {
    const proud = await secondary()
    const { change, told, firstTold } = await notifying([proud], { answerMs: 60_000 })
    await change()
    proud.answer(await proud.next(), 5)
    await firstTold
    expect(told).toEqual([`unacknowledged home.test 127.0.0.1 port ${proud.port} REFUSED`])
    await change()
    await proud.next()
  })

  it('waits for the answer of each secondary to its own message', async () => {
    const [asked, forger] = [await secondary(), await secondary()]
    const { change, told, firstTold } = await notifying([asked], { answerMs: 60_000 })
    await change()
    const message = await asked.next()
    forger.answer(message)
    const wrongId = Buffer.from(message.packet)
    wrongId.writeUInt16BE(read(message.packet).id ^ 1, 0)
    asked.answer({ ...message, packet: wrongId })
    asked.answer({ ...message, packet: Buffer.alloc(40) })
    asked.answer(message)
    await firstTold
    expect(told).toHaveLength(1)
  })

  it('that lost changes is announced when it is complete again', async () => {
    const waiting = await secondary()
    const { notifier, store, change } = await notifying([waiting])
    const incomplete = zoneFromText('home.test.', '', store.zones.table)
    incomplete.markIncomplete()
    await store.replace('1', incomplete)
    notifier.changed(home)
    await store.replace('1', zoneFromText('home.test.', '', store.zones.table))
    await change()
    expect(read((await waiting.next()).packet).answer).toEqual([soa(8)])
  })

  it('that was deleted is no longer announced', async () => {
    const deaf = await secondary()
    const { change, notifier, told } = await notifying([deaf], { answerMs: 1, tries: 50 })
    await change()
    await deaf.next()
    notifier.forget(home)
    const { change: changeOther, firstTold } = await notifying([deaf], { answerMs: 1, tries: 1 })
    await changeOther()
    await firstTold
    expect(told).toEqual([])
  })

  it('of thousands are announced at a limited rate', async () => {
    const busy = await secondary()
    const zones = Array.from({ length: 40 }, (_, n) => zoneFromText(`zone-${n}.test.`, ''))
    const store = await storeOf(...zones)
    const notify = [{ address: '127.0.0.1', port: busy.port, key: undefined }]
    const access = accessOf([], [{ zones: 'every', allow: [], notify }])
    const notifier = new Notifier({
      zone: (apexKey) => store.zones.get(apexKey),
      access: () => access,
      events: recordTransfers().events,
      hosts: [],
      times: { messagesPerSecond: 100, answerMs: 60_000 },
    })
    closing.push(() => notifier.close())
    const began = performance.now()
    for (const { key } of zones) notifier.changed(key)
    const told = new Set<string>()
    for (const _zone of zones) told.add(read((await busy.next()).packet).answer.join())
    expect(told.size).toBe(40)
    // Ten at once, and thirty more at a rate of a hundred per second.
    expect(performance.now() - began).toBeGreaterThan(250)
  })
})

describe('RFC 8945: a NOTIFY with a key', () => {
  const key = keyNamed('notify-key')

  it('is signed, and its answer is accepted only with a signature', async () => {
    const signing = await secondary()
    const { change, told, firstTold } = await notifying([signing], { answerMs: 60_000 }, key)
    await change()
    const message = await signing.next()
    const placed = findTsig(message.packet)
    const check = placed && checkTsig(message.packet, placed, () => key, NOW)
    expect(check?.kind).toBe('valid')
    signing.answer(message)
    signing.answer(message, 0, (one) => new TsigSigner(key, Buffer.alloc(32)).sign(one, NOW))
    signing.answer(message, 0, (one) => new TsigSigner(key, placed?.record.mac).sign(one, NOW))
    await firstTold
    expect(told).toEqual([`acknowledged home.test 127.0.0.1 port ${signing.port}`])
  })

  it('may be refused without a signature, by a secondary that does not know the key', async () => {
    const stranger = await secondary()
    const { change, told, firstTold } = await notifying([stranger], { answerMs: 60_000 }, key)
    await change()
    stranger.answer(await stranger.next(), 9)
    await firstTold
    expect(told).toEqual([`unacknowledged home.test 127.0.0.1 port ${stranger.port} NOTAUTH`])
  })
})
