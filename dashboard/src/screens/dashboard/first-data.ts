/** The data of the first render of the dashboard, if the browser has it already. */
import type { QueryClient } from '@tanstack/react-query'
import { meQuery, zonesQuery } from '../../api/account.ts'
import { hasAnswersAhead } from '../../api/ahead.ts'
import { domainsQuery } from '../../api/domains.ts'
import { noticesQuery } from '../../api/notices.ts'
import { readListState } from './list-state.ts'

/** With a slow service, the frame of the dashboard is shown first. */
const WAIT_MS = 200

/** Waits a moment for what was asked for before the app ran, so that the dashboard is rendered once, with its rows. */
export async function awaitFirstData(queries: QueryClient): Promise<void> {
  if (!hasAnswersAhead()) return
  const data = Promise.all([
    queries.prefetchQuery(meQuery),
    queries.prefetchQuery(domainsQuery(readListState(''))),
    queries.prefetchQuery(noticesQuery),
    queries.prefetchQuery(zonesQuery),
  ])
  await Promise.race([data, new Promise((resolve) => setTimeout(resolve, WAIT_MS))])
}
