import type { QueryClient } from '@tanstack/react-query'
import { MONITORS_KEY } from '../../api/monitors.ts'
import { RECORDS_KEY } from '../../api/record-key.ts'
import { FORWARDS_KEY } from '../../api/web-forwards.ts'

/** What the user's own change of a domain can concern. Only what is on the screen is read. */
const CONCERNED = [
  'domains',
  'me',
  'named-domain',
  'domain-events',
  'deleted-domains',
  FORWARDS_KEY,
  MONITORS_KEY,
  RECORDS_KEY,
] as const

/** Reloads what shows domains, and the usage of the plan, after a change. */
export async function reloadDomains(queries: QueryClient): Promise<void> {
  await Promise.all(CONCERNED.map((key) => queries.invalidateQueries({ queryKey: [key] })))
}
