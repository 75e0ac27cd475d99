/** One open event stream (HTML standard, "Server-sent events"). */
import type { operations, EventsOf, StreamEndReason } from '@homing/openapi'
import { Readable } from 'node:stream'

export type Events = EventsOf<(typeof operations)['stream']['followChanges']>
export type EventName = keyof Events

/** An event and its data. */
export type LiveEvent = { readonly [Name in EventName]: readonly [Name, Events[Name]] }[EventName]

/** A client that has not read this many octets is too slow. It connects again, and continues where it was. */
const BACKLOG_LIMIT_BYTES = 256 * 1024
/** After a failure, browsers connect again after this time. */
const RETRY_MS = 3_000
/** After a stop, all browsers connect again: not at the same time. */
const SPREAD_MS = 5_000
/** A browser whose stream was replaced must not replace another one at once. */
const REPLACED_RETRY_MS = 60_000
/** Time for the client to read the last event; then the connection is closed. */
const END_LIMIT_MS = 500

/** The session that a stream belongs to. */
export interface StreamOwner {
  readonly accountId: string
  readonly sessionId: string
  /** Of the token that opened the stream. */
  readonly tokenDigest: string
  /** Whether its client also wants the queries for the domains of the account. */
  readonly watchesQueries: boolean
}

const textOf = ([name, data]: LiveEvent) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`

/** Events for the streams of an account. Those with the same position get the same octets, which are made once. */
export class SharedEvents {
  readonly events: readonly LiveEvent[]
  readonly #byId = new Map<string | undefined, Buffer>()

  constructor(events: readonly LiveEvent[]) {
    this.events = events
  }

  /** @param id goes with the last event: who has it has them all */
  octetsWith(id: string | undefined): Buffer {
    const known = this.#byId.get(id)
    if (known !== undefined) return known
    const texts = this.events.map(textOf)
    const last = texts.length - 1
    if (id !== undefined && last >= 0) texts[last] = `id: ${id}\n${texts[last]}`
    const octets = Buffer.from(texts.join(''))
    this.#byId.set(id, octets)
    return octets
  }
}

function retryMsAfter(reason: StreamEndReason): number {
  if (reason === 'replaced') return REPLACED_RETRY_MS
  return RETRY_MS + Math.round(Math.random() * SPREAD_MS)
}

export class OpenStream {
  readonly owner: StreamOwner
  /** The body of the response. */
  readonly body: Readable
  /** The zones in which the account has domains, and its own zones; undefined until they are read. Events have no id before. */
  zoneIds: Set<string> | undefined
  /** When something was last sent, by performance.now(). */
  sentAt = performance.now()
  #isEnded = false

  /** @param onClose called once, when either side has closed it */
  constructor(owner: StreamOwner, onClose: () => void) {
    this.owner = owner
    this.body = new Readable({ read: () => undefined })
    this.body.once('close', onClose)
    // The first octets send the headers.
    this.body.push(`retry: ${RETRY_MS}\n\n`)
  }

  /** @param id the position of the client after these events */
  send(shared: SharedEvents, id: string | undefined): void {
    if (shared.events.length === 0 || this.#isEnded || this.body.destroyed) return
    this.sentAt = performance.now()
    this.body.push(shared.octetsWith(id))
    if (this.body.readableLength > BACKLOG_LIMIT_BYTES) this.body.destroy()
  }

  /** Tells the client why, and ends the response. */
  end(reason: StreamEndReason): void {
    if (this.#isEnded || this.body.destroyed) return
    this.send(new SharedEvents([['end', { reason }]]), undefined)
    this.#isEnded = true
    this.body.push(`retry: ${retryMsAfter(reason)}\n\n`)
    this.body.push(null)
    setTimeout(() => this.body.destroy(), END_LIMIT_MS).unref()
  }
}
