/** The open streams of this process, by account. */
import type { StreamEndReason } from '@homing/openapi'
import type { EventName, OpenStream, SharedEvents } from './open-stream.ts'

export class StreamRegistry {
  readonly #accountLimit: number
  /** The oldest stream of an account is first. */
  readonly #byAccount = new Map<string, Set<OpenStream>>()
  readonly #sent = new Map<EventName, number>()
  #size = 0

  /** @param accountLimit maximum number of streams of an account */
  constructor(accountLimit: number) {
    this.#accountLimit = accountLimit
  }

  get size(): number {
    return this.#size
  }

  /** Events sent since the start, by name. */
  get sent(): ReadonlyMap<EventName, number> {
    return this.#sent
  }

  get accountIds(): string[] {
    return [...this.#byAccount.keys()]
  }

  /** Adds a stream. If its account has too many then, the oldest one ends. */
  add(stream: OpenStream): void {
    const { accountId } = stream.owner
    const streams = this.#byAccount.get(accountId) ?? new Set()
    const [oldest] = streams
    if (streams.size >= this.#accountLimit && oldest !== undefined) this.end(oldest, 'replaced')
    this.#byAccount.set(accountId, streams.add(stream))
    this.#size += 1
  }

  remove(stream: OpenStream): void {
    const { accountId } = stream.owner
    const streams = this.#byAccount.get(accountId)
    if (streams?.delete(stream) !== true) return
    this.#size -= 1
    if (streams.size === 0) this.#byAccount.delete(accountId)
  }

  /** Ends a stream. From now on, it gets nothing more. */
  end(stream: OpenStream, reason: StreamEndReason): void {
    stream.end(reason)
    this.remove(stream)
    this.#count('end')
  }

  /** The streams of an account. */
  of(accountId: string): Iterable<OpenStream> {
    return this.#byAccount.get(accountId) ?? []
  }

  all(): OpenStream[] {
    return [...this.#byAccount.values()].flatMap((streams) => [...streams])
  }

  /** Sends events to a stream and counts them. @param id the position of the client after them */
  send(stream: OpenStream, shared: SharedEvents, id: string | undefined): void {
    stream.send(shared, id)
    for (const [name] of shared.events) this.#count(name)
  }

  #count(name: EventName): void {
    this.#sent.set(name, (this.#sent.get(name) ?? 0) + 1)
  }
}
