/** What can be done to the selected domains. It stays at the bottom of the window, away from the search. */
import { count, counted } from '@homing/theme/formats'
import { Icon, type IconName } from '@homing/theme/parts/Icon.tsx'
import { useWrite } from '@homing/theme/parts/use-write.ts'
import { notify } from '@homing/theme/parts/Notices.tsx'
import { readMatching } from '../../../api/domains.ts'
import { textOf } from '../../../api/problem.ts'
import { exportDomains } from '../import/export-file.ts'
import type { Selection } from '../table/use-selection.ts'
import type { BulkAction } from './bulk-actions.ts'

const ACTIONS: readonly (readonly [BulkAction, string, IconName])[] = [
  ['address', 'Set Address', 'edit'],
  ['pause', 'Pause', 'pause'],
  ['resume', 'Resume', 'rotate'],
  ['monitor-on', 'Monitor On', 'show'],
  ['monitor-off', 'Monitor Off', 'hide'],
  ['tags', 'Tags', 'document'],
  ['delete', 'Delete', 'remove'],
]

interface BulkBarProps {
  readonly selection: Selection
  readonly search: string
  /** The number of domains that match the search, on all pages. */
  readonly total: number
  /** The number of selected domains on this page. */
  readonly shown: number
  /** Whether the plan includes monitors. */
  readonly canMonitor: boolean
  readonly onAction: (action: BulkAction) => void
}

const tellFailure = (error: Error) =>
  notify({ kind: 'failure', text: textOf(error, 'The domains could not be read.') })

/** Selects the domains of all pages. The service says which they are, so the number is exact. */
function SelectMatching({
  selection,
  search,
  total,
}: Pick<BulkBarProps, 'selection' | 'search' | 'total'>) {
  const { mutate, isPending } = useWrite({
    mutationFn: () => readMatching(search),
    onSuccess: (domains) => selection.set(domains, true),
    onError: tellFailure,
  })
  const what = search === '' ? counted(total, 'domain') : `${count(total)} matching`
  return (
    <button type="button" className="text-button" onClick={() => mutate()}>
      {isPending ? 'Selecting…' : `Select all ${what}`}
    </button>
  )
}

export function BulkBar(props: BulkBarProps) {
  const { selection, search, total, shown, canMonitor, onAction } = props
  const selected = [...selection.domains.values()]
  const { mutate: save, isPending } = useWrite({
    mutationFn: () => exportDomains(selected),
    onError: tellFailure,
  })
  const elsewhere = selected.length - shown
  // A monitor that was turned on can be turned off on every plan.
  const actions = ACTIONS.filter(([action]) => canMonitor || action !== 'monitor-on')
  return (
    <div role="region" aria-label="Selected domains" className="bulk-bar">
      <span role="status">
        {counted(selected.length, 'domain')} selected
        {elsewhere > 0 && `, ${count(elsewhere)} not on this page`}
      </span>
      {selected.length < total && (
        <SelectMatching selection={selection} search={search} total={total} />
      )}
      <span className="bulk-actions">
        {actions.map(([action, label, icon]) => (
          <button
            key={action}
            type="button"
            className={action === 'delete' ? 'row-button row-button-danger' : 'row-button'}
            onClick={() => onAction(action)}
          >
            <Icon name={icon} size={16} />
            {label}
          </button>
        ))}
        <button type="button" className="row-button" onClick={() => save()}>
          <Icon name="down" size={16} />
          {isPending ? 'Exporting…' : 'Export'}
        </button>
        <button type="button" className="row-button" onClick={selection.clear}>
          <Icon name="close" size={16} />
          Clear
        </button>
      </span>
    </div>
  )
}
