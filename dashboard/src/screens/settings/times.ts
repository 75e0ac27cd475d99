/** Formats times as the user's browser does. */

/** `12 May 2026`. */
export const dayText = (time: string | Date): string =>
  new Date(time).toLocaleDateString(undefined, { dateStyle: 'long' })

/** `12 May 2026, 08:30`. */
export const timeText = (time: string): string =>
  new Date(time).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })
