/** A TCP relay before a server, which cuts its clients off and lets them come back. */
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { freePorts } from '../../test/free-ports.ts'

/**
 * How a network fails: `silent`, where nothing arrives and nothing says so, as with packets that a
 * firewall drops; `closed`, where connections end and new ones are refused.
 */
export type Cut = 'silent' | 'closed'

export interface Relay {
  readonly port: number
  cut(how: Cut): Promise<void>
  /** What was underway in silence goes on, as with packets that are sent again. */
  mend(): Promise<void>
  close(): Promise<void>
}

/** One direction of a connection. */
interface Way {
  readonly from: Socket
  readonly to: Socket
}

/**
 * Relays a free port of loopback to a port of loopback. It is none of those that the system gives to outgoing connections,
 * which could take it while the relay is closed.
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
        // What arrives from now on waits, first here and then in the kernels.
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
