import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { mkdtempSync, rmSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { freePorts } from '../../test/free-ports.ts'
import { ForwardTable } from './forwarder/forward-table.ts'
import { SnapshotFile } from './forwarder/snapshot-file.ts'
import { thisMoment } from './forwarder/snapshot-keeper.ts'
import { makeForward, makeNames } from './forwarder/test-support.ts'

const ENTRY = fileURLToPath(new URL('forwarder.ts', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'homing-forwarder-'))
const started: ChildProcess[] = []
afterAll(() => {
  rmSync(folder, { recursive: true })
  for (const forwarder of started) forwarder.kill('SIGKILL')
})

function start(port: number, metricsPort: number, dataDir = join(folder, 'empty')) {
  const forwarder = spawn(process.execPath, [ENTRY], {
    stdio: ['ignore', 'inherit', 'pipe'],
    env: {
      // In production, the forwarder requires no secret key.
      NODE_ENV: 'production',
      PUBLIC_URL: 'https://dns.example.net',
      ZONES: 'example.net',
      DATA_DIR: dataDir,
      FORWARD_PORT: String(port),
      FORWARD_METRICS_PORT: String(metricsPort),
      LOG_FORMAT: 'json',
    },
  })
  started.push(forwarder)
  return forwarder
}

/** Resolves when it has logged this many lines; two of them can come at once. */
async function logged({ stderr }: ChildProcessByStdio<null, null, Readable>, count: number) {
  let lines = 0
  const last = Promise.withResolvers<void>()
  createInterface({ input: stderr }).on('line', () => {
    lines += 1
    if (lines === count) last.resolve()
  })
  await last.promise
}

/** fetch() sets Host itself, so the request is written by hand. */
async function ask(port: number, host: string) {
  const sent = request({ port, host: '127.0.0.1', path: '/any?thing', headers: { host } })
  sent.end()
  const [reply] = (await once(sent, 'response')) as [IncomingMessage]
  reply.resume()
  return { status: reply.statusCode, location: reply.headers.location }
}

async function stop(forwarder: ChildProcess): Promise<unknown[]> {
  const gone = once(forwarder, 'exit')
  forwarder.kill('SIGTERM')
  forwarder.kill('SIGTERM')
  return gone
}

test('without a feed and a snapshot every host gets 503; requests are counted; it stops with 0', async () => {
  const [port = 0, metricsPort = 0] = await freePorts(2)
  const forwarder = start(port, metricsPort)
  await logged(forwarder, 1)
  for (const host of ['home.example.net', 'a.test', 'b.test']) {
    expect(await ask(port, host)).toEqual({ status: 503, location: undefined })
  }
  const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  expect(metrics).toContain('homing_forward_requests_total{status="503"} 3')
  expect(metrics).toContain('homing_forward_names 0')
  expect(metrics).toContain('homing_forward_hits_waiting 0')
  expect((await fetch(`http://127.0.0.1:${metricsPort}/`)).status).toBe(404)
  expect(await stop(forwarder)).toEqual([0, null])
})

test('with a snapshot it answers without PostgreSQL', async () => {
  const dataDir = join(folder, 'snapshot')
  const table = new ForwardTable()
  const names = makeNames({ 'home.example.net': makeForward({ status: 302 }) })
  table.replace({ serial: 7n, feedId: 'feed', token: 'token' }, names)
  const capture = table.capture()
  if (capture === undefined) throw new Error('the table is empty')
  await new SnapshotFile(dataDir).write(capture, thisMoment())
  const [port = 0, metricsPort = 0] = await freePorts(2)
  const forwarder = start(port, metricsPort, dataDir)
  await logged(forwarder, 2)
  expect(await ask(port, 'home.example.net')).toEqual({
    status: 302,
    location: 'https://target.example/any?thing',
  })
  expect((await ask(port, 'other.example.net')).status).toBe(404)
  const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  expect(metrics).toContain('homing_forward_names 1')
  expect(metrics).toContain('homing_forward_hits_waiting 1')
  expect(await stop(forwarder)).toEqual([0, null])
})

test('a port in use is reported in one line', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const address = taken.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const forwarder = start(port, port)
  let told = ''
  forwarder.stderr.setEncoding('utf8').on('data', (text: string) => (told += text))
  const [exitCode] = (await once(forwarder, 'close')) as [number | null]
  taken.close()
  expect(exitCode).toBe(1)
  expect(JSON.parse(told)).toMatchObject({
    name: 'forwarder',
    msg: 'cannot start',
    err: {
      message: expect.stringContaining(`EADDRINUSE: address already in use 127.0.0.1:${port}`),
    },
  })
})
