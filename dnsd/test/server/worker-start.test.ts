/* The moment from which the kernel assigns clients to a worker that answers in batches. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { BroadcastChannel } from 'node:worker_threads'
import { expect, it, onTestFinished } from 'vitest'
import { freePorts } from '../../../test/free-ports.ts'
import { createRateLimitTable, SharedCounters, WorkerPool } from '../../src/server/index.ts'
import { ZoneTable } from '../../src/table/index.ts'
import { Zones } from '../../src/zone/index.ts'
import { read } from '../support/ask.ts'
import { COMPILE_CACHE } from '../support/compile-cache.ts'
import { BEGIN_ORDERS } from '../support/late-worker.ts'
import { requestOctets } from '../support/request-octets.ts'
import { zoneFromText } from '../support/zone-text.ts'

// Workers accept it from here.
process.env['NODE_COMPILE_CACHE'] ??= COMPILE_CACHE

const LATE = new URL('../support/late-worker.ts', import.meta.url)

/** A pool of one worker that starts when the test says so. */
function latePool(): WorkerPool {
  const zones = new Zones(new ZoneTable())
  zones.set(zoneFromText('home.test.', 'alice 60 A 192.0.2.1', zones.table))
  const nothing = () => undefined
  const pool = new WorkerPool({
    workers: 1,
    table: zones.table,
    counters: new SharedCounters(1),
    firstRow: 0,
    rateLimitTable: createRateLimitTable(),
    settings: { cookieSecrets: [], rateLimit: undefined },
    events: { workerDied: nothing, workerFellBack: nothing, workerFault: nothing },
    program: LATE,
    transport: 'batch',
  })
  onTestFinished(() => pool.close())
  return pool
}

/** Repeats the message to start until the worker has started, because it may not listen yet. */
async function begin(until: Promise<unknown>): Promise<void> {
  const orders = new BroadcastChannel(BEGIN_ORDERS)
  const telling = setInterval(() => orders.postMessage('begin'), 10)
  await until
  clearInterval(telling)
  orders.close()
}

/** @throws the system's error if no socket listens */
async function ask(port: number) {
  const socket = createSocket('udp4')
  onTestFinished(() => void socket.close())
  // Connected, so that it receives that error.
  socket.connect(port, '127.0.0.1')
  await once(socket, 'connect')
  const heard = once(socket, 'message')
  socket.send(requestOctets('alice.home.test', 'A'))
  const [octets] = (await heard) as [Buffer]
  return read(octets)
}

it('not before it can answer: until then they get an error at once, and can ask another server', async () => {
  const pool = latePool()
  const [port = 0] = await freePorts(1)
  const listening = pool.listen(['127.0.0.1'], port)
  await expect(ask(port)).rejects.toThrow('ECONNREFUSED')
  await begin(listening)
  expect((await ask(port)).answer).toEqual(['alice.home.test 60 A 192.0.2.1'])
})

it('never, if it is stopped before', async () => {
  const pool = latePool()
  const [port = 0] = await freePorts(1)
  const listening = pool.listen(['127.0.0.1'], port)
  const stopped = pool.close()
  await begin(stopped)
  await expect(listening).rejects.toThrow('ended before it answered')
  await expect(ask(port)).rejects.toThrow('ECONNREFUSED')
})

it('never, if the address is taken: that is an error of the start', async () => {
  const taken = createSocket('udp4')
  onTestFinished(() => void taken.close())
  const [port = 0] = await freePorts(1)
  taken.bind(port, '127.0.0.1')
  await once(taken, 'listening')
  const listening = latePool().listen(['127.0.0.1'], port)
  await begin(listening.catch(() => undefined))
  await expect(listening).rejects.toThrow('EADDRINUSE')
})
