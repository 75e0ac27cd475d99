import Paper from '@mui/material/Paper'
import { useGetList } from 'react-admin'
import { Link } from 'react-router'
import type { AdminOwnZone } from '../../api/client.ts'
import { Ago } from '../../layout/Ago.tsx'
import { Trouble } from '../../layout/Trouble.tsx'
import { ZoneState } from './ZoneState.tsx'

const PAGE = { page: 1, perPage: 100 }
const NEWEST = { field: 'claimed_at', order: 'DESC' } as const

function Claim({ claim }: { claim: AdminOwnZone }) {
  return (
    <li>
      <Link to={`/zones/${claim.id}/show`}>{claim.username}</Link>, claimed{' '}
      <Ago time={claim.claimed_at} never="" />
      <ZoneState zone={claim} />
    </li>
  )
}

/** The other claims of the same domain, also those that are over. */
export function ClaimsPanel({ zone }: { zone: AdminOwnZone }) {
  const { data, error, refetch } = useGetList<AdminOwnZone>(
    'zones',
    { pagination: PAGE, sort: NEWEST, filter: { q: zone.zone } },
    { onError: () => undefined, retry: false },
  )
  // The search finds parts of names, too.
  const others = data?.filter((each) => each.zone === zone.zone && each.id !== zone.id)
  return (
    <Paper className="panel" component="section" aria-labelledby="claims-title">
      <h2 id="claims-title">Other claims of this domain</h2>
      {error && <Trouble error={error} onRetry={() => void refetch()} />}
      {others?.length === 0 && <p className="panel-text">No other account claimed it.</p>}
      {others !== undefined && others.length > 0 && (
        <ul className="claims">
          {others.map((claim) => (
            <Claim key={claim.id} claim={claim} />
          ))}
        </ul>
      )}
    </Paper>
  )
}
