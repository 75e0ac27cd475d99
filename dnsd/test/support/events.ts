import type { ServerEvents } from '../../src/server/index.ts'

const nothing = (): void => undefined

/** For tests that do not count. */
export const SILENT_EVENTS: ServerEvents = {
  answered: nothing,
  dropped: nothing,
  failed: nothing,
  unsent: nothing,
  connectionOpened: nothing,
  connectionClosed: nothing,
}
