import { createSocket, type Socket } from 'node:dgram'
import { isIPv6 } from 'node:net'

/** Sends datagrams and hears what comes back, one socket for each address family, made when it is needed. */
export class NotifySockets {
  readonly #hosts: readonly string[]
  readonly #onMessage: (packet: Buffer, address: string, port: number) => void
  readonly #sockets = new Map<'udp4' | 'udp6', Socket>()

  /** @param hosts that this server answers at: secondaries know it by them, so messages come from there */
  constructor(
    hosts: readonly string[],
    onMessage: (packet: Buffer, address: string, port: number) => void,
  ) {
    this.#hosts = hosts
    this.#onMessage = onMessage
  }

  /** Sends, or does not: what is lost is sent again by whoever waits for the answer. */
  send(message: Buffer, port: number, address: string): void {
    this.#socketFor(address).send(message, port, address, () => undefined)
  }

  close(): void {
    for (const socket of this.#sockets.values()) socket.close()
    this.#sockets.clear()
  }

  #socketFor(address: string): Socket {
    const type = isIPv6(address) ? 'udp6' : 'udp4'
    const known = this.#sockets.get(type)
    if (known !== undefined) return known
    const socket = createSocket(type)
    this.#sockets.set(type, socket)
    socket.on('message', (packet, from) => this.#onMessage(packet, from.address, from.port))
    // An address that is gone from the machine: the next message tries a new socket.
    socket.on('error', () => {
      if (this.#sockets.get(type) === socket) this.#sockets.delete(type)
      socket.close()
    })
    const own = this.#hosts.find((host) => isIPv6(host) === (type === 'udp6'))
    socket.bind(own === undefined ? {} : { address: own })
    socket.unref()
    return socket
  }
}
