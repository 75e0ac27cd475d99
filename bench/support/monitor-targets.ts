/**
 * Targets of monitors, in a process of their own: they answer over http and https, or accept connections and never
 * answer. They listen on every loopback address.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net'

/** Where the targets listen. */
export interface TargetPorts {
  readonly http: number
  readonly https: number
  readonly silent: number
}

interface Credential {
  readonly cert: string
  readonly key: string
}

const PAGE = `<!doctype html><title>home</title>${'<p>hello</p>'.repeat(300)}`

async function listen(server: Server): Promise<number> {
  server.listen({ port: 0, host: '0.0.0.0', backlog: 4_096 })
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

async function serve(credential: Credential): Promise<TargetPorts> {
  const answer = createServer((_request, response) => void response.end(PAGE))
  const secured = createSecureServer(
    // Each check has a full handshake, as with targets that were not checked for a minute.
    { ...credential, sessionTimeout: 1 },
    (_request, response) => void response.end(PAGE),
  )
  const silent = createTcpServer((socket) => socket.on('error', () => undefined).resume())
  return { http: await listen(answer), https: await listen(secured), silent: await listen(silent) }
}

process.once('message', (credential: Credential) => {
  void serve(credential).then((ports) => process.send?.(ports))
})
process.once('disconnect', () => process.exit(0))
