import { Icon } from '@homing/theme/parts/Icon.tsx'
import type { Domain } from '../../../api/domains.ts'
import { stateOf } from './domain-state.ts'

/** Of the reason, which explains disabled buttons of the row. */
export const statusId = ({ id }: Pick<Domain, 'id'>) => `status-${id}`

interface StatusCellProps {
  readonly domain: Domain
  /** Why the last change of several domains left this one out. */
  readonly failure: string | undefined
}

export function StatusCell({ domain, failure }: StatusCellProps) {
  const { word, icon, tone, reason } = stateOf(domain)
  return (
    <div>
      <span className={`status status-${tone}`}>
        <Icon name={icon} size={16} />
        {word}
      </span>
      {reason !== undefined && (
        <span id={statusId(domain)} className="status-reason">
          {reason}
        </span>
      )}
      {failure !== undefined && <span className="status-failure">Not changed: {failure}</span>}
    </div>
  )
}
