import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** How the proxy treats connections to the database. */
export type Passage =
  | 'open'
  /** Connections end, and new ones are refused. */
  | 'closed'
  /** Nothing arrives, and connections stay open. */
  | 'silent'
  /** Each chunk of a response arrives seconds later. */
  | 'slow'

const SLOW_MS = 4_000

/** A proxy in front of a database. It can switch to another database at any time. */
export class DatabaseDoor {
  readonly port: number
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #targetPort: number
  #passage: Passage = 'open'

  private constructor(server: Server, targetPort: number) {
    this.#server = server
    this.#targetPort = targetPort
    this.port = (server.address() as AddressInfo).port
    server.on('connection', (client) => this.#admit(client))
  }

  static async open(targetPort: number): Promise<DatabaseDoor> {
    const server = createServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new DatabaseDoor(server, targetPort)
  }

  /** Changes how present and new connections are treated. */
  set(passage: Passage): void {
    const wasSilent = this.#passage === 'silent'
    this.#passage = passage
    // The octets that were dropped during the silence cannot be sent again.
    if (passage === 'closed' || wasSilent) this.#endAll()
  }

  /** Switches to another database and ends all present connections. */
  leadTo(targetPort: number): void {
    this.#targetPort = targetPort
    this.#endAll()
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.#endAll()
    await closed
  }

  #admit(client: Socket): void {
    if (this.#passage === 'closed') {
      client.destroy()
      return
    }
    const database = connect(this.#targetPort, '127.0.0.1')
    this.#carry(client, database, () => 0)
    this.#carry(database, client, () => (this.#passage === 'slow' ? SLOW_MS : 0))
  }

  #carry(from: Socket, to: Socket, delayMs: () => number): void {
    this.#sockets.add(from)
    from.on('error', () => to.destroy())
    from.once('close', () => {
      this.#sockets.delete(from)
      to.destroy()
    })
    from.on('data', (octets) => {
      if (this.#passage === 'silent') return
      const waitMs = delayMs()
      const pass = () => void (to.destroyed || to.write(octets))
      if (waitMs === 0) pass()
      else setTimeout(pass, waitMs).unref()
    })
  }

  #endAll(): void {
    for (const socket of this.#sockets) socket.destroy()
  }
}
