import type { Socket } from 'node:net'
import type { CloseReason } from './events.ts'
import { FrameReader } from './frame-reader.ts'
import type { Responder } from './responder.ts'

export interface TcpTimes {
  /** How long a connection may be open between two messages (RFC 7766 §6.2.3). */
  readonly idleMs: number
  /** How long a message may take from its first octet to its last. */
  readonly messageMs: number
}

export interface ConnectionOwner {
  readonly respond: Responder
  readonly times: TcpTimes
  served(connection: TcpConnection): void
  closed(connection: TcpConnection, reason: CloseReason | undefined): void
}

/**
 * One TCP connection: messages in, answers out in the same order.
 *
 * Answers to what came in one piece leave in one piece. When the client does not read them, no
 * further message is looked at and none is read until it does; if it never does, the time for idle
 * connections ends it, because no message gets done.
 */
export class TcpConnection {
  readonly network: string
  readonly #socket: Socket
  readonly #owner: ConnectionOwner
  readonly #frames = new FrameReader()
  #timer: NodeJS.Timeout
  #inMessage = false
  #clientIsDone = false
  #reason: CloseReason | undefined

  /** @param socket with `allowHalfOpen`: who has asked everything may still wait for answers */
  constructor(socket: Socket, network: string, owner: ConnectionOwner) {
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
    // A reset is a way to hang up; `close` follows.
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearTimeout(this.#timer)
      owner.closed(this, this.#reason)
    })
  }

  evict(): void {
    this.#close('evicted')
  }

  /** Ends the connection after the answers that are on their way. */
  shutDown(): void {
    this.#reason = 'shutdown'
    this.#socket.end(() => this.#socket.destroy())
  }

  /** Ends the connection now. */
  abort(): void {
    this.#close('shutdown')
  }

  #work(): void {
    if (this.#socket.destroyed || !this.#socket.writable) return
    const answeredAll = this.#answerFrames()
    if (!answeredAll) this.#socket.pause()
    else if (this.#clientIsDone) this.#socket.end()
    else if (this.#socket.isPaused()) this.#socket.resume()
  }

  /** @returns false when the client has to read first */
  #answerFrames(): boolean {
    let served = false
    this.#socket.cork()
    while (!this.#socket.writableNeedDrain) {
      const packet = this.#frames.take()
      if (packet === undefined) break
      const reply = this.#owner.respond(packet, 'tcp')
      if (reply === undefined) continue
      served = true
      this.#send(reply)
    }
    this.#socket.uncork()
    if (served) this.#owner.served(this)
    const blocked = this.#socket.writableNeedDrain
    this.#keepTime(served, !blocked && this.#frames.hasUnread)
    return !blocked
  }

  #send(reply: Buffer): void {
    const length = Buffer.allocUnsafe(2)
    length.writeUInt16BE(reply.length)
    this.#socket.write(length)
    this.#socket.write(reply)
  }

  // The clock starts anew with an answer and with the first octet of a message, and not with those
  // in between: one octet every few seconds shall not hold a place.
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
        this.#close(reason)
      },
      this.#inMessage ? messageMs : idleMs,
    )
  }

  #close(reason: CloseReason): void {
    this.#reason ??= reason
    this.#socket.destroy()
  }
}
