/** A client of event streams on a real connection, as a browser reads them. */
import type { LiveEvent } from '../../src/live/open-stream.ts'

export interface ReadEvent {
  readonly name: string
  readonly data: Record<string, unknown>
  /** The position of the client after this event. */
  readonly id: string
}

export class StreamClient {
  readonly response: Response
  readonly events: ReadEvent[] = []
  /** Everything that came. */
  text = ''
  /** Whether the response has ended. */
  isOver = false
  lastEventId = ''
  readonly #controller: AbortController
  readonly #begun = Promise.withResolvers<void>()

  private constructor(response: Response, controller: AbortController) {
    this.response = response
    this.#controller = controller
    this.#begun.promise.catch(() => undefined)
    void this.#read()
  }

  static async open(
    url: string,
    headers: Readonly<Record<string, string>>,
    lastEventId?: string,
  ): Promise<StreamClient> {
    const controller = new AbortController()
    const resumed = lastEventId === undefined ? {} : { 'last-event-id': lastEventId }
    const { signal } = controller
    const response = await fetch(url, { headers: { ...headers, ...resumed }, signal })
    return new StreamClient(response, controller)
  }

  /** The data of the events with a name. */
  dataOf(name: LiveEvent[0]): ReadEvent['data'][] {
    return this.events.filter((event) => event.name === name).map(({ data }) => data)
  }

  /** Resolves with the first heartbeat. @throws Error when the response ends before */
  begun(): Promise<void> {
    return this.#begun.promise
  }

  close(): void {
    this.#controller.abort()
  }

  async #read(): Promise<void> {
    let rest = ''
    const decoder = new TextDecoder()
    try {
      for await (const part of this.response.body ?? []) {
        const text = decoder.decode(part, { stream: true })
        this.text += text
        const blocks = (rest + text).split('\n\n')
        rest = blocks.pop() ?? ''
        for (const block of blocks) this.#take(block)
      }
    } catch {
      // Closed by this side.
    }
    this.isOver = true
    this.#begun.reject(new Error(`the stream ended: ${this.text}`))
  }

  #take(block: string): void {
    const fields = new Map(
      block.split('\n').map((line) => line.split(/: (.*)/s) as [string, string]),
    )
    this.lastEventId = fields.get('id') ?? this.lastEventId
    const [name, data] = [fields.get('event'), fields.get('data')]
    if (name === undefined || data === undefined) return
    if (name === 'heartbeat') this.#begun.resolve()
    this.events.push({ name, data: JSON.parse(data) as never, id: this.lastEventId })
  }
}
