/** One claim with its zone: what the last check found, and who else claims the domain. */
import Paper from '@mui/material/Paper'
import { timeText } from '@homing/theme/formats'
import { ShowBase, useShowContext } from 'react-admin'
import { Link } from 'react-router'
import type { AdminOwnZone } from '../../api/client.ts'
import { Ago } from '../../layout/Ago.tsx'
import { type Fact, Facts } from '../../layout/Facts.tsx'
import { RecordPage } from '../../layout/RecordPage.tsx'
import { CheckPanel } from './CheckPanel.tsx'
import { ClaimsPanel } from './ClaimsPanel.tsx'
import { ZoneState } from './ZoneState.tsx'

const PROOFS = {
  delegation: 'delegation',
  txt: 'TXT record',
  ns: 'third name server',
} as const satisfies Record<NonNullable<AdminOwnZone['proof']>, string>

const timeOf = (time: string | null, none: string) => (time === null ? none : timeText(time))

const factsOf = (zone: AdminOwnZone): readonly Fact[] => [
  ['State', <ZoneState key="state" zone={zone} />],
  [
    'Owner',
    <Link key="owner" to={`/users/${zone.user_id}`}>
      {zone.username}
    </Link>,
  ],
  ['Proof', zone.proof === null ? 'none yet' : PROOFS[zone.proof]],
  ['Contested', zone.is_contested ? 'yes' : 'no'],
  [
    'Name servers',
    zone.nameservers.map(({ hostname, ip, ipv6 }) => (
      <span key={hostname} className="monospace address">
        {[hostname, ip, ...(ipv6 === null ? [] : [ipv6])].join(' ')}
      </span>
    )),
  ],
  ['Vanity', zone.is_vanity ? 'yes' : 'no'],
  ['Records', zone.records],
  ['Domains', zone.domains],
  ['Claimed', timeText(zone.claimed_at)],
  ['Expires', timeOf(zone.expires_at, 'never')],
  ['Active since', timeOf(zone.active_at, 'not active')],
  ['Withheld', timeOf(zone.withheld_at, 'never')],
  ['Last check', <Ago key="last" time={zone.last_check?.checked_at ?? null} never="never" />],
  ['Next check', timeOf(zone.next_check_at, 'none')],
  ['Id', zone.id],
]

function ZonePage() {
  const { record, error, refetch } = useShowContext<AdminOwnZone>()
  return (
    <RecordPage
      list={{ label: 'Own zones', path: '/zones' }}
      record={record}
      error={error}
      onRetry={() => void refetch()}
      title={({ zone }) => zone}
    >
      {(zone) => (
        <>
          <div className="record">
            <Paper className="panel" component="section" aria-label="Facts">
              <Facts facts={factsOf(zone)} />
            </Paper>
            <ClaimsPanel zone={zone} />
          </div>
          <CheckPanel check={zone.last_check} />
        </>
      )}
    </RecordPage>
  )
}

/** The page shows the error, so a notice is not needed. */
const QUERY = { onError: () => undefined, retry: false }

export default function ZoneShow() {
  return (
    <ShowBase queryOptions={QUERY}>
      <ZonePage />
    </ShowBase>
  )
}
