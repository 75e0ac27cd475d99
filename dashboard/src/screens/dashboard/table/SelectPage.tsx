import { useShownFirst } from '@homing/theme/parts/after-paint.ts'
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
  const [isChecked, check] = useShownFirst(areAll, (are) => selection.set(domains, are))
  return (
    <th role="columnheader" scope="col" className="cell-select">
      <input
        type="checkbox"
        aria-label="Select all domains on this page"
        checked={isChecked}
        ref={(box) => {
          if (box !== null) box.indeterminate = count > 0 && !areAll && !isChecked
        }}
        onChange={() => check(!isChecked)}
      />
    </th>
  )
}
