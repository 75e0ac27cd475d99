/* Worker threads that answer over UDP: the zones and settings that they use, and the addresses on which they listen. */
import { describe, expect, it } from 'vitest'
import { nameFromText, TYPE } from '../../src/names/index.ts'
import type { UdpTransport } from '../../src/server/index.ts'
import { DEFAULT_RATE_LIMIT } from '../../src/server/rate-limit.ts'
import { requestOctets } from '../support/request-octets.ts'
import {
  answersOf,
  ask,
  publish,
  question,
  SETTINGS,
  useWorkerPools,
} from '../support/worker-pools.ts'

const pools = useWorkerPools()

describe.each<UdpTransport>(['dgram', 'batch'])('WorkerPool through %s', (transport) => {
  it('answers on all workers from the zones of the main thread', async () => {
    const { zone, port, counters } = await pools.started({ transport })
    const ids = Array.from({ length: 64 }, (_, index) => index)
    // Each client has its own port, by which the kernel chooses a worker.
    const answers = await Promise.all(
      ids.map((id) => ask(pools.client(), question('alice', id), port)),
    )
    expect(answers.map(({ id }) => id)).toEqual(ids)
    expect(answers.every(({ answer }) => answer[0] === 'alice.home.test 60 A 192.0.2.1')).toBe(true)
    const [first = 0, second = 0] = answersOf(counters, 2)
    expect([first + second, counters.hot, first > 0, second > 0]).toEqual([64, 64, true, true])
    publish(zone, 'alice', '192.0.2.2')
    publish(zone, 'bob', '192.0.2.3')
    const later = await Promise.all(
      ids.map((id) => ask(pools.client(), question('alice', id), port)),
    )
    expect(later.every(({ answer }) => answer[0] === 'alice.home.test 60 A 192.0.2.2')).toBe(true)
    expect((await ask(pools.client(), question('bob'), port)).answer).toHaveLength(1)
    expect(counters.latency.counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0)
  })

  it('finds names for which the table had to grow', async () => {
    const { zone, port } = await pools.started({ transport })
    const names = Array.from({ length: 30_000 }, (_, index) => `name-${index}`)
    for (const name of names) publish(zone, name, '192.0.2.9')
    for (const name of [names.at(0), names.at(-1)]) {
      expect((await ask(pools.client(), question(name ?? ''), port)).rcode).toBe('NOERROR')
    }
    expect((await ask(pools.client(), question('name-30000'), port)).rcode).toBe('NXDOMAIN')
  })

  it('leaves unsupported queries to the pipeline', async () => {
    const { port, counters } = await pools.started({ transport })
    const answer = await ask(pools.client(), requestOctets('home.test', 'SOA', {}), port)
    expect([answer.answer.length, counters.hot]).toEqual([1, 0])
    expect(answersOf(counters, 2).reduce((sum, count) => sum + count)).toBe(1)
  })

  it('binds all addresses, or none', async () => {
    const { port } = await pools.started({ transport, hosts: ['127.0.0.1', '::1'] })
    expect((await ask(pools.client('udp6'), question('alice', 7), port, '::1')).id).toBe(7)
    expect((await ask(pools.client(), question('alice', 8), port)).id).toBe(8)
    const taken = await pools.portTakenAt('127.0.0.2')
    const both = pools.started({ transport, hosts: ['127.0.0.1', '127.0.0.2'], port: taken })
    await expect(both).rejects.toMatchObject({
      code: 'EADDRINUSE',
      message: expect.stringContaining(`127.0.0.2:${taken}`),
    })
    const free = await pools.started({ transport, hosts: ['127.0.0.1'], port: taken })
    expect((await ask(pools.client(), question('alice', 9), free.port)).id).toBe(9)
  })

  it('answers received packets before it closes', async () => {
    const { port, server, counters } = await pools.started({ transport })
    const socket = pools.client()
    const ids = Array.from({ length: 200 }, (_, index) => index)
    const answered = new Set<number>()
    const all = new Promise<void>((resolve) => {
      socket.on('message', (octets) => {
        answered.add(octets.readUInt16BE(0))
        if (answered.size === ids.length) resolve()
      })
    })
    const sent = ids.map(
      async (id) =>
        new Promise((resolve) => socket.send(question('alice', id), port, '127.0.0.1', resolve)),
    )
    await Promise.all(sent)
    await server.close()
    await all
    expect(counters.hot).toBe(ids.length)
  })
})

describe.each<UdpTransport>(['dgram', 'batch'])('settings of workers through %s', (transport) => {
  const chaos = requestOctets('id.server', 'TXT', { qclass: 3 })

  it('can change while they answer', async () => {
    const { port, pool } = await pools.started({ transport, workers: 1 })
    expect((await ask(pools.client(), chaos, port)).rcode).toBe('REFUSED')
    pool.configure({ ...SETTINGS, identity: 'one' })
    for (let rcode = 'REFUSED'; rcode !== 'NOERROR';)
      rcode = (await ask(pools.client(), chaos, port)).rcode
    pool.configure({ ...SETTINGS, identity: 'two' })
    for (let text = ''; !text.includes('two');) {
      text = (await ask(pools.client(), chaos, port)).answer[0] ?? ''
    }
  })

  it('apply to the hot path too', async () => {
    const rateLimit = { ...DEFAULT_RATE_LIMIT, responsesPerSecond: 1, slip: 1 }
    const { port, counters } = await pools.started({
      transport,
      workers: 1,
      settings: { ...SETTINGS, rateLimit },
    })
    const socket = pools.client()
    const flags: string[] = []
    for (let id = 1; id <= 5; id++)
      flags.push((await ask(socket, question('alice', id), port)).flags)
    expect(flags[0]).toBe('qr aa')
    expect(flags.at(-1)).toBe('qr tc')
    expect(counters.hot).toBe(5)
    expect(counters.truncated('udp')).toBeGreaterThan(0)
  })
})

describe('a fault while answering', () => {
  it('is SERVFAIL, counted each time, and reported once', async () => {
    const { zone, port, told, counters } = await pools.started({ workers: 1 })
    const faults: unknown[] = []
    told.on('fault', (error) => faults.push(error))
    const broken = { type: TYPE.MX, ttlSeconds: 60, rdata: [Buffer.from([1])] }
    const owner = nameFromText('broken.home.test.')
    zone.apply([{ owner, rrsets: [broken] }], { serial: 99n, feedId: 'feed', token: '99' })
    const packet = requestOctets('broken.home.test', 'MX', {})
    for (let turn = 0; turn < 3; turn++) {
      expect((await ask(pools.client(), packet, port)).rcode).toBe('SERVFAIL')
    }
    expect(counters.dropped('fault')).toBe(3)
    expect(faults).toHaveLength(1)
  })
})
