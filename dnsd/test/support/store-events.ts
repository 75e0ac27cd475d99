import type { StoreEvents } from '../../src/store/index.ts'

/** The events of a store in words, and a way to wait for them. */
export interface RecordedEvents {
  readonly events: StoreEvents
  /** One line for each event: its name and its arguments. */
  readonly told: string[]
  /** Resolves as soon as `condition` holds, which is checked after each event. */
  readonly until: (condition: () => boolean) => Promise<void>
}

export function recordEvents(): RecordedEvents {
  const told: string[] = []
  const waiting = new Set<() => void>()
  const events = new Proxy({} as StoreEvents, {
    get:
      (_target, name: string) =>
      (...what: unknown[]) => {
        told.push([name, ...what.map(word)].join(' '))
        for (const check of waiting) check()
      },
    ownKeys: () => NAMES,
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
  })
  const until = async (condition: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const check = (): void => {
        if (!condition()) return
        waiting.delete(check)
        resolve()
      }
      waiting.add(check)
      check()
    })
  return { events, told, until }
}

const NAMES = [
  'source',
  'resync',
  'applied',
  'loaded',
  'removed',
  'skipped',
  'finding',
  'diskError',
  'snapshot',
] satisfies (keyof StoreEvents)[]

function word(value: unknown): string {
  return value instanceof Error ? value.message : String(value)
}
