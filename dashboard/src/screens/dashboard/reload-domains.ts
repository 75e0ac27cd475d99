import type { QueryClient } from '@tanstack/react-query'

/** After a change: the table, and how much of the plan is used. */
export async function reloadDomains(queries: QueryClient): Promise<void> {
  await Promise.all([
    queries.invalidateQueries({ queryKey: ['domains'] }),
    queries.invalidateQueries({ queryKey: ['me'] }),
  ])
}
