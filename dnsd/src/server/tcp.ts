import { once } from 'node:events'
import { createServer, isIPv6, type Socket } from 'node:net'
import { networkOf } from './client-network.ts'
import { ConnectionTable, type ConnectionLimits } from './connection-table.ts'
import type { Listener, ListenOptions } from './listener.ts'
import { NO_TRANSFERS } from './transfer-source.ts'
import { TcpConnection, type ConnectionOwner, type TcpTimes } from './tcp-connection.ts'

export type TcpLimits = ConnectionLimits & TcpTimes

// RFC 7766 §6.2.3 asks for some seconds and leaves the number to the server. A thousand connections
// stay within the file descriptors that a process commonly gets.
const DEFAULT_LIMITS: TcpLimits = {
  maxConnections: 1000,
  maxPerNetwork: 500,
  idleMs: 15_000,
  messageMs: 10_000,
}

// How long clients get at the end to take the answers that are on their way.
const SHUTDOWN_MS = 1000
const BACKLOG = 1024

/**
 * Answers messages over TCP on one address (RFC 7766).
 *
 * @throws the system's error when the address cannot be taken
 */
export async function listenTcp(
  options: ListenOptions & { readonly limits?: Partial<TcpLimits> },
): Promise<Listener> {
  const { host, port, reusePort = false } = options
  const limits: TcpLimits = { ...DEFAULT_LIMITS, ...options.limits }
  const connections = new ConnectionTable<TcpConnection>(limits)
  const accept = acceptInto(connections, limits, options)
  const server = createServer({ allowHalfOpen: true, noDelay: true }, accept)
  const bound = once(server, 'listening')
  server.listen({ host, port, backlog: BACKLOG, ipv6Only: isIPv6(host), reusePort })
  await bound
  server.on('error', (error) => {
    options.events.failed(error)
  })
  const address = server.address()
  return {
    host,
    port: address !== null && typeof address === 'object' ? address.port : port,
    async close() {
      const closed = once(server, 'close')
      server.close()
      for (const connection of connections.all()) connection.shutDown()
      const timer = setTimeout(() => {
        for (const connection of connections.all()) connection.abort()
      }, SHUTDOWN_MS)
      await closed
      clearTimeout(timer)
    },
  }
}

function acceptInto(
  connections: ConnectionTable<TcpConnection>,
  times: TcpTimes,
  { respond, events, transfers = NO_TRANSFERS }: ListenOptions,
): (socket: Socket) => void {
  const owner: ConnectionOwner = {
    respond,
    transfers,
    times,
    served(connection) {
      connections.served(connection)
    },
    closed(connection, reason) {
      connections.delete(connection)
      events.connectionClosed(reason)
    },
  }
  return (socket) => {
    // Without an address it is gone already.
    const { remoteAddress: client } = socket
    if (client === undefined) {
      socket.destroy()
      return
    }
    const connection = new TcpConnection(socket, client, networkOf(client), owner)
    connections.add(connection)
    events.connectionOpened()
  }
}
