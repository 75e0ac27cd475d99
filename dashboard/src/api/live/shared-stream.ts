/**
 * One live stream for all tabs of a browser. Visible tabs wait for a lock. The tab that holds it has the stream, and passes
 * the events on. A tab that is hidden for a while gives the lock back, so the next visible tab takes over, and a browser
 * without a visible tab has no stream. Where the page has no locks (plain HTTP), each visible tab has a stream of its own.
 */
import { type LiveEvent, StreamSource } from './stream-source.ts'

/** Between tabs: an event, the loss of the stream, or the question of a new tab. */
type Message =
  | { readonly kind: 'event'; readonly event: LiveEvent }
  | { readonly kind: 'broken' }
  | { readonly kind: 'question' }

/** Somebody who switches between tabs does not end the stream each time. */
const HIDDEN_GRACE_MS = 10_000
/** Without a sign for this long, the tab that had the stream is gone. */
const SIGN_LIMIT_MS = 60_000

/** `since` is the time of the last sign of the stream. */
export type LiveState = { readonly isLive: boolean; readonly since: number }

export const NOT_LIVE: LiveState = { isLive: false, since: 0 }

export class SharedStream {
  readonly #name: string
  readonly #channel: BroadcastChannel
  readonly #eventListeners = new Set<(event: LiveEvent) => void>()
  readonly #stateListeners = new Set<() => void>()
  #state = NOT_LIVE
  #source: StreamSource | undefined
  /** Aborted when this tab no longer wants the stream; undefined while it does not. */
  #wish: AbortController | undefined
  #signTimer: ReturnType<typeof setTimeout> | undefined
  #hideTimer: ReturnType<typeof setTimeout> | undefined

  /** @param userId tabs of different users do not share */
  constructor(userId: string) {
    this.#name = `homing-live-${userId}`
    this.#channel = new BroadcastChannel(this.#name)
    this.#channel.addEventListener('message', ({ data }: MessageEvent<Message>) => this.#hear(data))
    document.addEventListener('visibilitychange', this.#onVisibility)
    if (!document.hidden) this.#want()
    this.#tell({ kind: 'question' })
  }

  get state(): LiveState {
    return this.#state
  }

  /** @returns what removes the listener */
  onEvent(listener: (event: LiveEvent) => void): () => void {
    this.#eventListeners.add(listener)
    return () => this.#eventListeners.delete(listener)
  }

  /** @returns what removes the listener */
  readonly onState = (listener: () => void): (() => void) => {
    this.#stateListeners.add(listener)
    return () => this.#stateListeners.delete(listener)
  }

  close(): void {
    document.removeEventListener('visibilitychange', this.#onVisibility)
    clearTimeout(this.#signTimer)
    clearTimeout(this.#hideTimer)
    this.#release()
    this.#channel.close()
  }

  readonly #onVisibility = () => {
    clearTimeout(this.#hideTimer)
    if (!document.hidden) this.#want()
    else this.#hideTimer = setTimeout(() => this.#release(), HIDDEN_GRACE_MS)
  }

  #want(): void {
    if (this.#wish !== undefined) return
    const wish = new AbortController()
    this.#wish = wish
    const { signal } = wish
    // Only secure contexts have locks, although the types say otherwise.
    const locks = (navigator as Partial<Navigator>).locks
    if (locks === undefined) return this.#lead()
    const held = locks.request(this.#name, { signal }, () => {
      if (signal.aborted) return undefined
      this.#lead()
      return new Promise<void>((release) => {
        signal.addEventListener('abort', () => release())
      })
    })
    // Aborted while it waited.
    held.catch(() => undefined)
  }

  #lead(): void {
    this.#source = new StreamSource({
      onEvent: (event) => {
        this.#tell({ kind: 'event', event })
        this.#take(event)
      },
      onBroken: () => {
        this.#tell({ kind: 'broken' })
        this.#setState(NOT_LIVE)
      },
    })
  }

  #release(): void {
    this.#wish?.abort()
    this.#wish = undefined
    if (this.#source === undefined) return
    this.#source.close()
    this.#source = undefined
    this.#setState(NOT_LIVE)
  }

  #tell(message: Message): void {
    // A broadcast channel never leaves its origin.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    this.#channel.postMessage(message)
  }

  #hear(message: Message): void {
    if (message.kind === 'event') this.#take(message.event)
    else if (message.kind === 'broken') this.#setState(NOT_LIVE)
    // The tab that asks must read its lists, because it may have read them before it heard events.
    else if (this.#source !== undefined && this.#state.isLive) {
      this.#tell({ kind: 'event', event: ['reload', {}] })
    }
  }

  #take(event: LiveEvent): void {
    const [name] = event
    if (name === 'end') this.#setState(NOT_LIVE)
    else this.#setState({ isLive: true, since: Date.now() })
    for (const listener of this.#eventListeners) listener(event)
  }

  #setState(state: LiveState): void {
    clearTimeout(this.#signTimer)
    if (state.isLive) this.#signTimer = setTimeout(() => this.#setState(NOT_LIVE), SIGN_LIMIT_MS)
    if (!state.isLive && !this.#state.isLive) return
    this.#state = state
    for (const listener of this.#stateListeners) listener()
  }
}
