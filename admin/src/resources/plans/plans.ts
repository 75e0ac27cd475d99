/** The plans as the API gives them: their limits are data, not ours to know. */
import { useGetList } from 'react-admin'
import type { AdminPlan } from '../../api/client.ts'

const ALL = { page: 1, perPage: 100 }

/** Every plan; undefined until they have come. */
export function usePlans(): readonly AdminPlan[] | undefined {
  const { data } = useGetList<AdminPlan>(
    'plans',
    { pagination: ALL },
    { staleTime: 300_000, retry: false },
  )
  return data
}
