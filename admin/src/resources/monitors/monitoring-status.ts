import { useQuery } from '@tanstack/react-query'
import { useDataProvider } from 'react-admin'
import type { AdminDataProvider } from '../../dataProvider.ts'

/** Workers report every five seconds. */
const REFRESH_MS = 5_000

/** How monitoring runs. All parts of a page share one request, which repeats by itself. */
export function useMonitoringStatus() {
  const provider = useDataProvider<AdminDataProvider>()
  return useQuery({
    queryKey: ['status of monitoring'],
    queryFn: () => provider.monitoringStatus(),
    refetchInterval: REFRESH_MS,
    retry: false,
  })
}
