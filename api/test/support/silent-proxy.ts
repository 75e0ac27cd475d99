/** A proxy to PostgreSQL that can be made silent: connections stay open, and nothing passes. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface SilentProxy {
  /** The connection string through this proxy. */
  readonly url: string
  /** How many connections were opened. */
  readonly opened: () => number
  silence(): void
  speak(): void
  close(): void
}

/** Opens a proxy to the PostgreSQL of a connection string. */
export async function openSilentProxy(databaseUrl: string): Promise<SilentProxy> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let opened = 0
  let isSilent = false
  const server = createServer((client) => {
    opened += 1
    const upstream = connect(Number(target.port), target.hostname)
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from)
      from.on('data', (octets) => to.write(octets))
      from.on('error', () => undefined)
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
      // A `data` listener makes the stream flow.
      if (isSilent) from.pause()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(databaseUrl)
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    opened: () => opened,
    silence() {
      isSilent = true
      for (const socket of sockets) socket.pause()
    },
    speak() {
      isSilent = false
      for (const socket of sockets) socket.resume()
    },
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
