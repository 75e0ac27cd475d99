import { useQuery } from '@tanstack/react-query'
import { useDataProvider } from 'react-admin'
import type { AdminPlan, AdminPlanPreview } from '../../api/client.ts'
import type { AdminDataProvider } from '../../dataProvider.ts'

/** How often is asked while names are on their way: to count very many of them takes the database a while. */
const [SOONEST_MS, LATEST_MS] = [2_000, 30_000]
const MS_PER_NAME = 10

function askAgainMs(preview: AdminPlanPreview): number | false {
  const behind = behindOf(preview)
  return behind > 0 && Math.min(LATEST_MS, Math.max(SOONEST_MS, behind * MS_PER_NAME))
}

/** Names that are not yet as the plan says; a name may lack more than one thing. */
export const behindOf = (preview: AdminPlanPreview): number =>
  Math.max(preview.ttl_change_count, preview.withheld_count, preview.restored_count)

/**
 * The accounts on a plan, and what their names still lack: nothing, but in the moments after a change.
 *
 * @returns undefined until it has come, and for a plan that does not change
 */
export function usePlanState({ id, version }: AdminPlan): AdminPlanPreview | undefined {
  const provider = useDataProvider<AdminDataProvider>()
  const { data } = useQuery({
    queryKey: ['state of plan', id, version],
    queryFn: () => provider.previewPlan(id, {}),
    enabled: id !== 'disabled',
    retry: false,
    refetchInterval: ({ state }) => state.data !== undefined && askAgainMs(state.data),
  })
  return data
}
