import type { QueryClient } from '@tanstack/react-query'

/** Reloads the table and the usage of the plan after a change. */
export async function reloadDomains(queries: QueryClient): Promise<void> {
  await Promise.all([
    queries.invalidateQueries({ queryKey: ['domains'] }),
    queries.invalidateQueries({ queryKey: ['me'] }),
  ])
}
