/** A time as mails tell it: to the minute, and in UTC, since nobody knows where it is read. @param at ISO 8601 */
export function mailTime(at: string): string {
  return `${at.slice(0, 16).replace('T', ' ')} UTC`
}
