import { answererOf } from './datagram-answerer.ts'
import type { ServerEvents } from './events.ts'
import type { Listener, ListenOptions } from './listener.ts'
import type { Responder } from './responder.ts'
import type { TransferSource } from './transfer-source.ts'
import { TcpCapacity } from './tcp-capacity.ts'
import { listenTcp } from './tcp.ts'
import { listenUdp } from './udp.ts'

export interface DnsServerOptions {
  /** The addresses to listen on, IPv4 and IPv6. */
  readonly hosts: readonly string[]
  /** The UDP and TCP port of all addresses; 0 takes a port that is free on all. */
  readonly port: number
  readonly respond: Responder
  readonly transfers?: TransferSource
  readonly events: ServerEvents
  /** The limits for clients over TCP; by default the default limits. */
  readonly tcp?: TcpCapacity
  readonly reusePort?: boolean
  /** Answers over UDP; without it, this thread answers with `respond`. */
  readonly datagrams?: DatagramService
}

/** Answers over UDP on all addresses; see `WorkerPool`. */
export interface DatagramService {
  /** @throws the system error when an address cannot be bound; no address is bound then */
  listen(hosts: readonly string[], port: number): Promise<void>
  close(): Promise<void>
}

export interface DnsServer {
  readonly port: number
  readonly listeners: readonly Listener[]
  close(): Promise<void>
}

// How many free ports are tried when one is in use on another address.
const FREE_PORT_TRIES = 20

/**
 * Answers over UDP and TCP on every address, or on none.
 *
 * @throws the system error when an address cannot be bound; it names the address
 */
export async function startDnsServer(options: DnsServerOptions): Promise<DnsServer> {
  const { datagrams } = options
  for (let tries = 1; ; tries++) {
    const listeners: Listener[] = []
    try {
      await listenOnAll(options, listeners)
      const port = listeners[0]?.port ?? options.port
      await datagrams?.listen(options.hosts, port)
      const close = async () => {
        await Promise.all([closeAll(listeners), datagrams?.close()])
      }
      return { port, listeners, close }
    } catch (error) {
      await closeAll(listeners)
      if (options.port !== 0 || tries === FREE_PORT_TRIES || !isTaken(error)) throw error
    }
  }
}

async function listenOnAll(options: DnsServerOptions, listeners: Listener[]): Promise<void> {
  const capacity = options.tcp ?? new TcpCapacity()
  for (const host of options.hosts) {
    // The first listener chooses the port when any port will do; the others use the same one.
    const port = listeners[0]?.port ?? options.port
    const listenOptions: ListenOptions = { ...options, host, port }
    const tcp = await listenTcp({ ...listenOptions, capacity })
    listeners.push(tcp)
    if (options.datagrams !== undefined) continue
    const answerer = answererOf(options.respond)
    listeners.push(await listenUdp({ ...listenOptions, port: tcp.port, answerer }))
  }
}

async function closeAll(listeners: readonly Listener[]): Promise<void> {
  await Promise.all(listeners.map((listener) => listener.close()))
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
}
