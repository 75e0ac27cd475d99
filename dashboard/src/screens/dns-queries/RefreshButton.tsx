import { Icon } from '@homing/theme/parts/Icon.tsx'
import { useIsFetching, useQueryClient } from '@tanstack/react-query'
import { QUERIES_FILTER } from '../../api/dns-queries.ts'

/** Reads all counts again. */
export function RefreshButton() {
  const queries = useQueryClient()
  const isBusy = useIsFetching(QUERIES_FILTER) > 0
  return (
    <button
      type="button"
      className="line-button"
      aria-disabled={isBusy}
      onClick={() => void (isBusy || queries.invalidateQueries(QUERIES_FILTER))}
    >
      <Icon name="rotate" size={16} />
      Refresh
    </button>
  )
}
