import { useQuery } from '@tanstack/react-query'
import { useDataProvider } from 'react-admin'
import type { AdminPlan, AdminPlanPreview } from '../../api/client.ts'
import type { AdminDataProvider } from '../../dataProvider.ts'

/** The polling interval while a job updates domains. It grows with their number, because counting them takes the database time. */
const [SOONEST_MS, LATEST_MS] = [2_000, 30_000]
const MS_PER_NAME = 10

function askAgainMs(preview: AdminPlanPreview): number | false {
  const behind = behindOf(preview)
  return behind > 0 && Math.min(LATEST_MS, Math.max(SOONEST_MS, behind * MS_PER_NAME))
}

/** The number of domains that the plan's job still has to update. One domain can need several changes. */
export const behindOf = (preview: AdminPlanPreview): number =>
  Math.max(preview.ttl_change_count, preview.withheld_count, preview.restored_count)

/**
 * The accounts on a plan, and the domains that still have to be updated after a change of the plan.
 *
 * @returns undefined until it has loaded, and for a plan that cannot be changed
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
