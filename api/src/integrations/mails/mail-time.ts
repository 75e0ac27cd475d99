/** Formats a time for mails: to the minute, and in UTC, because the reader's time zone is unknown. @param at ISO 8601 */
export function mailTime(at: string): string {
  return `${at.slice(0, 16).replace('T', ' ')} UTC`
}
