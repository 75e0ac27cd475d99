import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { type IncomingMessage, request } from 'node:http'
import type { Readable } from 'node:stream'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { freePorts } from '../../test/free-ports.ts'

const ENTRY = fileURLToPath(new URL('forwarder.ts', import.meta.url))
const started: ChildProcess[] = []
afterAll(() => {
  for (const forwarder of started) forwarder.kill('SIGKILL')
})

function start(port: number, metricsPort: number) {
  const forwarder = spawn(process.execPath, [ENTRY], {
    stdio: ['ignore', 'inherit', 'pipe'],
    env: {
      // In production, the forwarder requires no secret.
      NODE_ENV: 'production',
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
async function ask(port: number, method: string, host: string) {
  const sent = request({ port, method, host: '127.0.0.1', path: '/any?thing', headers: { host } })
  sent.end()
  const [reply] = (await once(sent, 'response')) as [IncomingMessage]
  let body = ''
  for await (const chunk of reply) body += String(chunk)
  return { status: reply.statusCode, type: reply.headers['content-type'], body }
}

test('every name gets a page without a forward; requests are counted; it stops with 0', async () => {
  const [port = 0, metricsPort = 0] = await freePorts(2)
  const forwarder = start(port, metricsPort)
  await logged(forwarder, 1)

  const page = await ask(port, 'GET', 'home.example.net')
  expect(page).toMatchObject({ status: 404, type: 'text/html; charset=utf-8' })
  expect(page.body).toContain('does not have a web forward')
  expect(await ask(port, 'HEAD', 'a.test')).toMatchObject({ status: 404, body: '' })
  expect((await ask(port, 'POST', 'a.test')).status).toBe(404)

  const metrics = await fetch(`http://127.0.0.1:${metricsPort}/metrics`)
  expect(await metrics.text()).toContain('homing_forward_requests_total{status="404"} 3')
  expect((await fetch(`http://127.0.0.1:${metricsPort}/`)).status).toBe(404)

  const gone = once(forwarder, 'exit')
  forwarder.kill('SIGTERM')
  forwarder.kill('SIGTERM')
  expect(await gone).toEqual([0, null])
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
