/**
 * The web-forwarding server. No name forwards anywhere yet, so every request is
 * told that there is nothing here; the port, the metrics and the way it stops
 * are those it will keep.
 */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { collectDefaultMetrics, Counter, Registry } from 'prom-client'
import { loadConfigOrExit } from './config.ts'
import { createLog } from './log.ts'
import { runUntilStopped } from './process-life.ts'

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Nothing is forwarded here</title>
<p>This name is not forwarded to a web page.</p>
</html>
`

const config = loadConfigOrExit()
const log = createLog(config, 'forwarder')

const registry = new Registry()
collectDefaultMetrics({ register: registry })
const requests = new Counter({
  name: 'homing_forward_requests_total',
  help: 'Requests to forwarded names, by status.',
  labelNames: ['status'],
  registers: [registry],
})

const forwarder = createServer({ requestTimeout: 10_000 }, (request, reply) => {
  requests.inc({ status: '404' })
  reply.writeHead(404, {
    'content-type': 'text/html; charset=utf-8',
    'content-length': Buffer.byteLength(PAGE),
    'content-security-policy': `default-src 'none'`,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  })
  reply.end(request.method === 'HEAD' ? undefined : PAGE)
})

const metrics = createServer((request, reply) => {
  if (request.url !== '/metrics') {
    reply.writeHead(404).end()
    return
  }
  void registry.metrics().then((text) => {
    reply.writeHead(200, { 'content-type': registry.contentType }).end(text)
  })
})

async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, config.forwardHost)
  await once(server, 'listening')
  log.info(`listening on ${config.forwardHost} port ${port}`)
}

await runUntilStopped(log, {
  async start() {
    await listen(forwarder, config.forwardPort)
    if (config.forwardMetricsPort !== undefined) await listen(metrics, config.forwardMetricsPort)
  },
  async stop() {
    metrics.close()
    metrics.closeAllConnections()
    // Connections that are idle end at once, those under way when they are answered.
    forwarder.close()
    await once(forwarder, 'close')
  },
})
