import { once } from 'node:events'
import { createServer, isIPv6, type Socket } from 'node:net'
import { networkOf } from './client-network.ts'
import type { Listener, ListenOptions } from './listener.ts'
import { NO_TRANSFERS } from './transfer-source.ts'
import type { TcpCapacity } from './tcp-capacity.ts'
import { TcpConnection, type ConnectionOwner } from './tcp-connection.ts'

// How long clients get during shutdown to receive pending answers.
const SHUTDOWN_MS = 1000
const BACKLOG = 1024

/**
 * Answers messages over TCP on one address (RFC 7766).
 *
 * @throws the system error when the address cannot be bound
 */
export async function listenTcp(
  options: ListenOptions & { readonly capacity: TcpCapacity },
): Promise<Listener> {
  const { host, port, capacity, reusePort = false } = options
  // The connections of this address; the capacity has those of all addresses.
  const connections = new Set<TcpConnection>()
  const accept = acceptInto(connections, capacity, options)
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
      for (const connection of connections) connection.shutDown()
      const timer = setTimeout(() => {
        for (const connection of connections) connection.abort()
      }, SHUTDOWN_MS)
      await closed
      clearTimeout(timer)
    },
  }
}

function acceptInto(
  connections: Set<TcpConnection>,
  capacity: TcpCapacity,
  { respond, events, transfers = NO_TRANSFERS }: ListenOptions,
): (socket: Socket) => void {
  const table = capacity.connections
  const owner: ConnectionOwner = {
    respond,
    transfers,
    times: capacity,
    served: (connection) => table.served(connection),
    holds: (connection, bytes) => table.holds(connection, bytes),
    closed(connection, reason) {
      connections.delete(connection)
      table.delete(connection)
      events.connectionClosed(reason)
    },
  }
  return (socket) => {
    // A socket without a remote address is already closed.
    const { remoteAddress: client } = socket
    if (client === undefined) {
      socket.destroy()
      return
    }
    const connection = new TcpConnection(socket, client, networkOf(client), owner)
    connections.add(connection)
    table.add(connection)
    events.connectionOpened()
  }
}
