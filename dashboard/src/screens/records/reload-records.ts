import type { QueryClient } from '@tanstack/react-query'
import { RECORDS_KEY } from '../../api/record-key.ts'

/** What the user's own change of records concerns. Only what is on the screen is read. */
const CONCERNED = [RECORDS_KEY, 'domain-events', 'zone-events', 'own-zones'] as const

/** Reads again what shows records, and the usage of the plan, after a change. */
export async function reloadRecords(queries: QueryClient): Promise<void> {
  await Promise.all(CONCERNED.map((key) => queries.invalidateQueries({ queryKey: [key] })))
}
