/** The event by which the app tells the script before it (`entry/start.ts`) that the screen works now. */
export const APP_READY = 'homing-app-ready'

/** Ends the waiting of the written screen. It does nothing when the app rendered the screen itself. */
export const reportReady = (): void => void dispatchEvent(new Event(APP_READY))
