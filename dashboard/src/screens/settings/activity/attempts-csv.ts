/** The sign-ins as a file for spreadsheets. */
import { csvLine } from '../../../api/csv.ts'
import type { LoginAttempt } from '../../../api/sessions.ts'
import { methodText } from './sign-in-methods.ts'

const HEAD = ['Date', 'IP Address', 'Location', 'Status', 'Method']

const rowOf = ({ time, ip, cc, success, method }: LoginAttempt): string[] => [
  time,
  ip,
  cc ?? '',
  success ? 'Success' : 'Failed',
  methodText(method),
]

/** Times in UTC, places as country codes (ISO 3166-1). */
export const attemptsCsv = (attempts: readonly LoginAttempt[]): string =>
  [HEAD, ...attempts.map(rowOf)].map(csvLine).join('')
