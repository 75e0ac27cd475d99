/** The plans from the API. The app does not hard-code their limits. */
import { useGetList } from 'react-admin'
import type { AdminPlan } from '../../api/client.ts'

const ALL = { page: 1, perPage: 100 }

/** All plans; undefined until they have loaded. */
export function usePlans(): readonly AdminPlan[] | undefined {
  const { data } = useGetList<AdminPlan>(
    'plans',
    { pagination: ALL },
    { staleTime: 300_000, retry: false },
  )
  return data
}
