/**
 * The web-forwarding server. No name is forwarded yet, so every request gets 404. The port, the
 * metrics and the way it stops will stay the same.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { Counter } from 'prom-client'
import { forwarderLoader } from './config/forwarder.ts'
import { createMetrics } from './integrations/metrics.ts'
import { serveMetrics } from './integrations/metrics-server.ts'
import { createLog } from './process/log.ts'
import { runUntilStopped } from './process/life.ts'

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>No web forward</title>
<p>This domain does not have a web forward.</p>
</html>
`

const config = forwarderLoader.loadOrExit()
const log = createLog(config, 'forwarder')

const registry = createMetrics()
const requests = new Counter({
  name: 'homing_forward_requests_total',
  help: 'Requests for web forwards, by status.',
  labelNames: ['status'],
  registers: [registry],
})

/** A request that is incomplete after 10 s is dropped; this is checked every 2 s. */
const LIMITS = { requestTimeout: 10_000, connectionsCheckingInterval: 2_000 }

const forwarder = createServer(LIMITS, (request, reply) => {
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

await runUntilStopped(log, {
  async start() {
    const { forwardHost: host, forwardPort: port, forwardMetricsPort: metricsPort } = config
    if (metricsPort !== undefined) await serveMetrics(metricsPort, registry)
    forwarder.listen(port, host)
    await once(forwarder, 'listening')
    log.info(`listening on ${host} port ${port}`)
  },
  async stop() {
    // Idle connections are closed immediately, active ones after their answer.
    forwarder.close()
    await once(forwarder, 'close')
  },
})
