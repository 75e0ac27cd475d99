/**
 * A connection to the live stream of the service. The browser connects again after a lost connection. After an answer that
 * is not a stream it gives up, so this class tries again, and also when nothing has come for longer than heartbeats take.
 */
import { type LiveEvents, STREAM_URL } from '@homing/openapi/client'

export type LiveName = keyof LiveEvents
/** An event and its data. */
export type LiveEvent = { readonly [Name in LiveName]: readonly [Name, LiveEvents[Name]] }[LiveName]

const NAMES = [
  'reload',
  'domain',
  'domain-deleted',
  'zone',
  'update-call',
  'monitor',
  'query',
  'heartbeat',
  'end',
] as const satisfies readonly LiveName[]

/** Heartbeats come every 25 seconds. */
const SILENCE_LIMIT_MS = 60_000
/** Between tries; at most twice as long, so that browsers do not come back all at once. */
const RETRY_MS = 15_000

export interface StreamHandlers {
  readonly onEvent: (event: LiveEvent) => void
  /** The stream is interrupted. */
  readonly onBroken: () => void
}

interface StreamOptions {
  /** Whether DNS queries are sent too. Plans without DNS analytics get none. */
  readonly queries?: boolean
}

export class StreamSource {
  readonly #handlers: StreamHandlers
  readonly #url: string
  #source: EventSource | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(handlers: StreamHandlers, { queries = false }: StreamOptions = {}) {
    this.#handlers = handlers
    this.#url = queries ? `${STREAM_URL}?queries=true` : STREAM_URL
    this.#open()
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#source?.close()
    this.#source = undefined
  }

  #open(): void {
    const source = new EventSource(this.#url)
    this.#source = source
    for (const name of NAMES) {
      source.addEventListener(name, ({ data }: MessageEvent<string>) => {
        const event = [name, JSON.parse(data)] as unknown as LiveEvent
        this.#expectMore()
        // The browser would connect again, with a session that has ended.
        if (event[0] === 'end' && event[1].reason === 'session-ended') this.close()
        this.#handlers.onEvent(event)
      })
    }
    source.addEventListener('error', () => {
      this.#handlers.onBroken()
      if (source.readyState === EventSource.CLOSED) this.#openLater()
    })
    this.#expectMore()
  }

  /** Connects again when nothing comes for a minute. */
  #expectMore(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#handlers.onBroken()
      this.close()
      this.#open()
    }, SILENCE_LIMIT_MS)
  }

  #openLater(): void {
    this.close()
    this.#timer = setTimeout(() => this.#open(), RETRY_MS * (1 + Math.random()))
  }
}
