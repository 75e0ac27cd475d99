/** A TCP relay before a server, which can disconnect its clients and let them reconnect. */
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { freePorts } from '../../test/free-ports.ts'

/**
 * How the network fails. `silent`: data does not arrive, without an error, as when a firewall drops packets.
 * `closed`: connections end, and new ones are refused.
 */
export type Cut = 'silent' | 'closed'

export interface Relay {
  readonly port: number
  cut(how: Cut): Promise<void>
  /** Ends the failure. Data that was held back arrives, as with retransmitted packets. */
  mend(): Promise<void>
  close(): Promise<void>
}

/** One direction of a connection. */
interface Way {
  readonly from: Socket
  readonly to: Socket
}

/**
 * Relays a free loopback port to another loopback port. The port is outside the ephemeral range, from which an outgoing
 * connection could take it while the relay is closed.
 */
export async function startRelay(targetPort: number): Promise<Relay> {
  const ways = new Set<Way>()
  let isSilent = false
  const addWay = (way: Way) => {
    const { from, to } = way
    ways.add(way)
    from.on('error', () => to.destroy())
    from.once('close', () => {
      ways.delete(way)
      to.destroy()
    })
    if (!isSilent) from.pipe(to)
  }
  const server = createServer((client) => {
    const upstream = connect(targetPort, '127.0.0.1')
    addWay({ from: client, to: upstream })
    addWay({ from: upstream, to: client })
  })
  const listen = async (wanted: number) => {
    server.listen(wanted, '127.0.0.1')
    await once(server, 'listening')
  }
  const close = async () => {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    for (const { from } of ways) from.destroy()
    await closed
  }
  const [port = 0] = await freePorts(1)
  await listen(port)
  return {
    port,
    close,
    async cut(how) {
      if (how === 'closed') return close()
      isSilent = true
      for (const { from, to } of ways) {
        from.unpipe(to)
        // From now on data waits, first here and then in the kernels.
        from.pause()
      }
    },
    async mend() {
      if (isSilent) for (const { from, to } of ways) from.pipe(to)
      isSilent = false
      if (!server.listening) await listen(port)
    },
  }
}
