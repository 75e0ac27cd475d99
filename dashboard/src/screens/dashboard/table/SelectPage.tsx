import type { Domain } from '../../../api/domains.ts'
import type { Selection } from './use-selection.ts'

interface SelectPageProps {
  /** The domains of the page. */
  readonly domains: readonly Domain[]
  readonly selection: Selection
}

/** The head of the column of checkboxes: it selects all domains of the page, or none. */
export function SelectPage({ domains, selection }: SelectPageProps) {
  const count = domains.filter(({ id }) => selection.domains.has(id)).length
  const areAll = count === domains.length
  return (
    <th role="columnheader" scope="col" className="cell-select">
      <input
        type="checkbox"
        aria-label="Select all domains on this page"
        checked={areAll}
        ref={(box) => {
          if (box !== null) box.indeterminate = count > 0 && !areAll
        }}
        onChange={() => selection.set(domains, !areAll)}
      />
    </th>
  )
}
