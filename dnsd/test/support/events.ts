import type { ServerEvents } from '../../src/server/index.ts'

const nothing = (): void => undefined

/** For tests that ignore events. */
export const SILENT_EVENTS: ServerEvents = {
  answered: nothing,
  dropped: nothing,
  failed: nothing,
  unsent: nothing,
  connectionOpened: nothing,
  connectionClosed: nothing,
}
