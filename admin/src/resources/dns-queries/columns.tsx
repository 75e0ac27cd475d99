import { count, percentText } from '@homing/theme/formats'
import type { QueriesOfService } from '../../api/client.ts'
import type { Column } from '../../list/RecordTable.tsx'

export const COLUMNS: readonly Column<QueriesOfService>[] = [
  {
    field: 'value',
    label: 'Name',
    isSortable: true,
    phone: 'whole',
    cell: ({ label, value }) => (
      <>
        <span className="breakable">{label}</span>
        {/* The label of a network contains its number. */}
        {/^[A-Z]{2}$/.test(value) && value !== label && (
          <span className="second-line">{value}</span>
        )}
      </>
    ),
  },
  {
    field: 'queries',
    label: 'Queries',
    isSortable: true,
    isNumber: true,
    cell: ({ queries }) => count(queries),
  },
  {
    field: 'share',
    label: 'Share',
    isNumber: true,
    cell: ({ share }) => (
      <>
        {percentText(share)}
        <span aria-hidden className="share-bar" style={{ width: `${share}%` }} />
      </>
    ),
  },
]
