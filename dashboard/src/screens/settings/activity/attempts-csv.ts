/** The sign-ins as a file for spreadsheets. */
import type { LoginAttempt } from '../../../api/sessions.ts'
import { methodText } from './sign-in-methods.ts'

const HEAD = ['Date', 'IP Address', 'Location', 'Status', 'Method']

/** A field of RFC 4180. Spreadsheets run text that begins like a formula, so it gets an apostrophe. */
function fieldOf(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

const rowOf = ({ time, ip, cc, success, method }: LoginAttempt): string[] => [
  time,
  ip,
  cc ?? '',
  success ? 'Success' : 'Failed',
  methodText(method),
]

/** Times in UTC, places as country codes (ISO 3166-1). */
export const attemptsCsv = (attempts: readonly LoginAttempt[]): string =>
  [HEAD, ...attempts.map(rowOf)].map((row) => `${row.map(fieldOf).join(',')}\r\n`).join('')
