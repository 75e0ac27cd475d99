/** The selection of the list, and what is done to it. The dialog loads when it is needed. */
import { Suspense, useState } from 'react'
import type { Domain } from '../../../api/domains.ts'
import { LoadBoundary } from '../../../components/LoadBoundary.tsx'
import { preloadable } from '../../../components/preloadable.ts'
import { type Selection, useSelection } from '../table/use-selection.ts'
import type { BulkAction } from './bulk-actions.ts'
import { BulkBar } from './BulkBar.tsx'
import type { BulkReport } from './run-batches.ts'

const dialog = preloadable(() => import('./BulkDialog.tsx'))

interface BulkState {
  readonly selection: Selection
  /** Why the last change left domains out, by their ids. */
  readonly failures: ReadonlyMap<string, string>
  readonly action: BulkAction | undefined
  readonly start: (action: BulkAction) => void
  readonly take: (report: BulkReport) => void
  readonly close: () => void
}

export function useBulkPart(): BulkState {
  const selection = useSelection()
  const [failures, setFailures] = useState<ReadonlyMap<string, string>>(new Map())
  const [action, setAction] = useState<BulkAction>()
  return {
    selection,
    failures,
    action,
    start(next) {
      setFailures(new Map())
      setAction(next)
    },
    take({ done, refused }) {
      setFailures(new Map(refused.map(({ domain, reason }) => [domain.id, reason])))
      const deleted = done.filter(({ operation }) => operation.op === 'delete')
      selection.set(
        deleted.map(({ domain }) => domain),
        false,
      )
    },
    close: () => setAction(undefined),
  }
}

interface BulkPartProps {
  readonly bulk: BulkState
  readonly search: string
  /** The number of domains that match the search. */
  readonly total: number
  /** The domains of the page. */
  readonly domains: readonly Domain[]
  /** Whether the plan includes monitors. */
  readonly canMonitor: boolean
}

export function BulkPart({ bulk, search, total, domains, canMonitor }: BulkPartProps) {
  const { selection, action, start, take, close } = bulk
  return (
    <>
      {selection.domains.size > 0 && (
        <BulkBar
          selection={selection}
          search={search}
          total={total}
          shown={domains.filter(({ id }) => selection.domains.has(id)).length}
          canMonitor={canMonitor}
          onAction={start}
        />
      )}
      {action !== undefined && (
        <LoadBoundary showsIn="notice" onFailure={close}>
          <Suspense fallback={null}>
            <dialog.Part
              action={action}
              selected={[...selection.domains.values()]}
              onReport={take}
              onClose={close}
            />
          </Suspense>
        </LoadBoundary>
      )}
    </>
  )
}
