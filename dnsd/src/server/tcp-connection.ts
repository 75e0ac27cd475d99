import type { Socket } from 'node:net'
import type { CloseReason } from './events.ts'
import { FrameReader } from './frame-reader.ts'
import type { Responder } from './responder.ts'
import type { TransferSource } from './transfer-source.ts'

export interface TcpTimes {
  /** The idle timeout between two messages (RFC 7766 §6.2.3). */
  readonly idleMs: number
  /** The timeout of a message from its first octet to its last. */
  readonly messageMs: number
}

export interface ConnectionOwner {
  readonly respond: Responder
  readonly transfers: TransferSource
  readonly times: TcpTimes
  served(connection: TcpConnection): void
  /** Reports the octets held for the connection: partial messages and unread answers. */
  holds(connection: TcpConnection, bytes: number): void
  closed(connection: TcpConnection, reason: CloseReason | undefined): void
}

// Each transfer holds a version of its zone until it ends. A client that wants more transfers waits,
// and so do its other questions (RFC 5936 §4.1.1 allows them on one connection and gives no number).
const MOST_TRANSFERS = 4

/**
 * One TCP connection: messages in, answers out in the same order.
 *
 * Answers to messages that arrived in one chunk are sent in one chunk. When the client does not read
 * them, no further message is read or processed until it does. If it never reads, the idle timeout
 * closes the connection, because no message completes.
 */
export class TcpConnection {
  readonly network: string
  readonly #socket: Socket
  readonly #owner: ConnectionOwner
  readonly #frames = new FrameReader()
  readonly #client: string
  #timer: NodeJS.Timeout
  #inMessage = false
  #clientIsDone = false
  /** Transfers in progress. Other questions are answered between their messages (RFC 5936 §4.1). */
  #transfers = 0
  #reason: CloseReason | undefined

  /**
   * @param socket with `allowHalfOpen`: a client that has sent all its questions may still wait for
   * answers
   * @param client the client's address
   * @param network the network that this address belongs to
   */
  constructor(socket: Socket, client: string, network: string, owner: ConnectionOwner) {
    this.#client = client
    this.network = network
    this.#socket = socket
    this.#owner = owner
    this.#timer = this.#startTimer()
    socket.on('data', (chunk: Buffer) => {
      this.#frames.push(chunk)
      this.#work()
    })
    socket.on('drain', () => {
      this.#work()
    })
    socket.on('end', () => {
      this.#clientIsDone = true
      this.#work()
    })
    // A reset closes the connection; `close` follows.
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearTimeout(this.#timer)
      owner.closed(this, this.#reason)
    })
  }

  evict(): void {
    this.#close('evicted')
  }

  /** Closes the connection after the pending answers are sent. */
  shutDown(): void {
    this.#reason = 'shutdown'
    this.#socket.end(() => this.#socket.destroy())
  }

  /** Closes the connection immediately. */
  abort(): void {
    this.#close('shutdown')
  }

  #work(): void {
    if (this.#socket.destroyed || !this.#socket.writable) return
    const answeredAll = this.#answerFrames()
    if (!answeredAll) this.#socket.pause()
    else if (this.#clientIsDone && this.#transfers === 0) this.#socket.end()
    else if (this.#socket.isPaused()) this.#socket.resume()
    this.#owner.holds(this, this.#heldBytes)
  }

  get #heldBytes(): number {
    return this.#frames.heldBytes + this.#socket.writableLength
  }

  /** Whether pending data must be sent before more is read. */
  get #isBlocked(): boolean {
    return this.#socket.writableNeedDrain || this.#transfers >= MOST_TRANSFERS
  }

  /** @returns false when the client must read first */
  #answerFrames(): boolean {
    let served = false
    this.#socket.cork()
    while (!this.#isBlocked) {
      const packet = this.#frames.take()
      if (packet === undefined) break
      const transfer = this.#owner.transfers.begin(packet, this.#client)
      if (transfer !== undefined) {
        void this.#transfer(transfer)
        continue
      }
      const reply = this.#owner.respond(packet, 'tcp', this.#client)
      if (reply === undefined) continue
      served = true
      this.#send(reply)
    }
    this.#socket.uncork()
    if (served) this.#owner.served(this)
    const blocked = this.#isBlocked
    this.#keepTime(served, !blocked && this.#frames.hasUnread)
    return !blocked
  }

  /** Sends the messages of a transfer as fast as the client reads them. */
  async #transfer(messages: AsyncIterable<Buffer>): Promise<void> {
    this.#transfers += 1
    try {
      for await (const message of messages) {
        if (!this.#socket.writable) break
        this.#socket.cork()
        this.#send(message)
        this.#socket.uncork()
        this.#owner.served(this)
        this.#owner.holds(this, this.#heldBytes)
        this.#keepTime(true, this.#inMessage)
        if (this.#socket.writableNeedDrain) await this.#drained()
      }
    } catch {
      // The client expects more messages. Only closing the connection tells it that the transfer is over.
      this.#close('transfer-failed')
    }
    this.#transfers -= 1
    this.#work()
  }

  /** Resolves when the client has read the data, or never will. */
  async #drained(): Promise<void> {
    const socket = this.#socket
    await new Promise<void>((resolve) => {
      const done = (): void => {
        socket.off('drain', done).off('close', done)
        resolve()
      }
      socket.on('drain', done).on('close', done)
    })
  }

  #send(reply: Buffer): void {
    const length = Buffer.allocUnsafe(2)
    length.writeUInt16BE(reply.length)
    this.#socket.write(length)
    this.#socket.write(reply)
  }

  // The timeout restarts with an answer and with the first octet of a message, but not with the
  // octets in between: one octet every few seconds must not keep a connection open.
  #keepTime(served: boolean, inMessage: boolean): void {
    if (!served && inMessage === this.#inMessage) return
    this.#inMessage = inMessage
    clearTimeout(this.#timer)
    this.#timer = this.#startTimer()
  }

  #startTimer(): NodeJS.Timeout {
    const { idleMs, messageMs } = this.#owner.times
    const reason = this.#inMessage ? 'unfinished-message' : 'idle'
    return setTimeout(
      () => {
        // A transfer waits for this server, unless the client does not read.
        if (this.#transfers > 0 && !this.#socket.writableNeedDrain) this.#timer = this.#startTimer()
        else this.#close(reason)
      },
      this.#inMessage ? messageMs : idleMs,
    )
  }

  #close(reason: CloseReason): void {
    this.#reason ??= reason
    this.#socket.destroy()
  }
}
