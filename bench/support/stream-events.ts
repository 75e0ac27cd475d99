/** One event stream whose events can be awaited. */
import { get } from 'node:http'

export interface StreamEvent {
  readonly name: string
  readonly data: Readonly<Record<string, unknown>>
}

export interface StreamEvents {
  /** Resolves with the next event that fits, by performance.now(). Fails after `limitMs`. */
  next(fits: (event: StreamEvent) => boolean, limitMs?: number): Promise<number>
  close(): void
}

function eventOf(text: string): StreamEvent | undefined {
  const name = /^event: (.+)$/m.exec(text)?.[1]
  const data = /^data: (.+)$/m.exec(text)?.[1]
  if (name === undefined || data === undefined) return undefined
  return { name, data: JSON.parse(data) as StreamEvent['data'] }
}

/** Opens a stream. Resolves with its first heartbeat, after which nothing is missed. */
export async function openStreamEvents(url: string, authorization: string): Promise<StreamEvents> {
  const waiting = new Set<(event: StreamEvent) => void>()
  let rest = ''
  const request = get(url, { headers: { authorization } }, (response) => {
    response.setEncoding('utf8')
    response.on('error', () => undefined)
    response.on('data', (text: string) => {
      const parts = `${rest}${text}`.split('\n\n')
      rest = parts.pop() ?? ''
      for (const event of parts.map(eventOf)) {
        if (event !== undefined) for (const take of waiting) take(event)
      }
    })
  })
  const failed = new Promise<never>((_resolve, reject) => request.once('error', reject))
  failed.catch(() => undefined)
  const next = (fits: (event: StreamEvent) => boolean, limitMs = 10_000) => {
    const { promise, resolve, reject } = Promise.withResolvers<number>()
    const timer = setTimeout(() => reject(new Error('no event came in time')), limitMs)
    const take = (event: StreamEvent) => {
      if (fits(event)) resolve(performance.now())
    }
    waiting.add(take)
    return Promise.race([promise, failed]).finally(() => {
      clearTimeout(timer)
      waiting.delete(take)
    })
  }
  await next(({ name }) => name === 'heartbeat')
  return { next, close: () => request.destroy() }
}
