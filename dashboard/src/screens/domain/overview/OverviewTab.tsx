import type { Domain } from '../../../api/domains.ts'
import { AddressCard } from './AddressCard.tsx'
import { DetailsCard } from './DetailsCard.tsx'
import { NotesCard } from './NotesCard.tsx'
import { StatusCard } from './StatusCard.tsx'

interface OverviewTabProps {
  readonly domain: Domain
  readonly onHowTo: () => void
}

/** What the domain is now. A wildcard has no settings of its own. */
export function OverviewTab({ domain, onHowTo }: OverviewTabProps) {
  return (
    <div className="domain-cards">
      <StatusCard domain={domain} onHowTo={onHowTo} />
      <AddressCard domain={domain} />
      {!domain.is_wildcard && <NotesCard domain={domain} />}
      <DetailsCard domain={domain} />
    </div>
  )
}
