/** When and by what the addresses of a row were set, and how long resolvers cache them. */
import { ageText, timeText } from '@homing/theme/formats'
import type { Domain } from '../../../api/domains.ts'
import type { NameClient } from './use-client-name.ts'

interface UpdatedCellProps {
  readonly domain: Domain
  readonly nowMs: number
  readonly nameClient: NameClient
}

/** `4 min ago, FRITZ!Box`. */
export function UpdatedCell({ domain, nowMs, nameClient }: UpdatedCellProps) {
  const { last_update_at: time, last_update_client: client } = domain
  if (time === null) return <span className="last-update muted">Never</span>
  return (
    <span className="last-update">
      <time dateTime={time} title={timeText(time)}>
        {ageText(time, nowMs)}
      </time>
      {client !== null && <span title={client}>, {nameClient(client)}</span>}
    </span>
  )
}

/** `60 s`, `60 min`. */
const ttlText = (ttl: number) => (ttl > 60 && ttl % 60 === 0 ? `${ttl / 60} min` : `${ttl} s`)

export const TtlCell = ({ domain: { ttl } }: Pick<UpdatedCellProps, 'domain'>) => (
  <span className="ttl">{ttlText(ttl)}</span>
)
