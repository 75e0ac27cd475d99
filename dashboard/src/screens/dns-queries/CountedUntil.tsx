import { timeText } from '@homing/theme/formats'
import type { DnsSummary } from '../../api/dns-queries.ts'

/** How current the figures are. */
export function CountedUntil({ summary }: { readonly summary: DnsSummary }) {
  const { counted_until: until } = summary
  return (
    <p className="muted query-sources">
      {until === null ? 'Nothing was counted yet.' : `Counted until about ${timeText(until)}.`}
    </p>
  )
}
