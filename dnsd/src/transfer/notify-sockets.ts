import { createSocket, type Socket } from 'node:dgram'
import { isIPv6 } from 'node:net'

/** Sends datagrams and receives answers, with one socket per address family, created on demand. */
export class NotifySockets {
  readonly #hosts: readonly string[]
  readonly #onMessage: (packet: Buffer, address: string, port: number) => void
  readonly #sockets = new Map<'udp4' | 'udp6', Socket>()

  /**
   * @param hosts the addresses that this server answers on; messages are sent from them because secondaries
   * know the server by them
   */
  constructor(
    hosts: readonly string[],
    onMessage: (packet: Buffer, address: string, port: number) => void,
  ) {
    this.#hosts = hosts
    this.#onMessage = onMessage
  }

  /** Sends a message without a guarantee of delivery. The notifier resends it if no answer comes. */
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
    // The address was removed from the machine; the next message tries a new socket.
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
