/** Serves `/metrics` of a process that has no other web server, only on loopback. */
import { once } from 'node:events'
import type { Registry } from 'prom-client'
import { nodeHttp } from '../process/node-http.ts'

/** @throws the system's error when the port is in use */
export async function serveMetrics(port: number, registry: Registry): Promise<void> {
  const server = nodeHttp.createServer((request, reply) => {
    if (request.url !== '/metrics') {
      reply.writeHead(404).end()
      return
    }
    void registry.metrics().then((text) => {
      reply.writeHead(200, { 'content-type': registry.contentType }).end(text)
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
}
