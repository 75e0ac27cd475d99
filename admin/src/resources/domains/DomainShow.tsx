/** One domain: its records, its owner, and the lock. */
import Paper from '@mui/material/Paper'
import { ShowBase, useShowContext } from 'react-admin'
import { Link } from 'react-router'
import type { AdminDomain } from '../../api/client.ts'
import { Ago } from '../../layout/Ago.tsx'
import { type Fact, Facts } from '../../layout/Facts.tsx'
import { RecordPage } from '../../layout/RecordPage.tsx'
import { ForwardOfDomain } from '../web-forwards/links.tsx'
import { spanText, timeText } from '@homing/theme/formats'
import { DomainStatus } from './DomainStatus.tsx'
import { LockButton } from './LockButton.tsx'

function wildcardOf({ is_wildcard, base_id, wildcard_enabled }: AdminDomain) {
  if (is_wildcard) return <Link to={`/domains/${base_id}/show`}>Show its domain</Link>
  return wildcard_enabled ? 'yes' : 'no'
}

const factsOf = (domain: AdminDomain): readonly Fact[] => [
  ['Status', <DomainStatus key="status" domain={domain} />],
  [
    'Owner',
    <Link key="owner" to={`/users/${domain.user_id}`}>
      {domain.username}
    </Link>,
  ],
  [
    'IPv4 address',
    <span key="4" className="monospace">
      {domain.record_ipv4 ?? 'none'}
    </span>,
  ],
  [
    'IPv6 address',
    <span key="6" className="monospace breakable">
      {domain.record_ipv6 ?? 'none'}
    </span>,
  ],
  ['Type', domain.rrtype],
  ['TTL', spanText(domain.ttl)],
  [
    'Zone',
    <span key="zone" className="monospace">
      {domain.zone}
    </span>,
  ],
  ['Wildcard', wildcardOf(domain)],
  ['Web forward', <ForwardOfDomain key="forward" domain={domain} />],
  ['Last update', <Ago key="update" time={domain.last_update_at} never="never" />],
  ['Registered', timeText(domain.created_at)],
  ['Id', domain.id],
]

function DomainPage() {
  const { record, error, refetch } = useShowContext<AdminDomain>()
  return (
    <RecordPage
      list={{ label: 'Domains', path: '/domains' }}
      record={record}
      error={error}
      onRetry={() => void refetch()}
      title={({ fqdn }) => fqdn}
    >
      {(domain) => (
        <div className="record">
          <Paper className="panel" component="section" aria-label="Facts">
            <Facts facts={factsOf(domain)} />
          </Paper>
          <Paper className="panel" component="section" aria-label="Administration">
            <LockButton domain={domain} />
          </Paper>
        </div>
      )}
    </RecordPage>
  )
}

/** The page shows the error, so a notice is not needed. */
const QUERY = { onError: () => undefined, retry: false }

export default function DomainShow() {
  return (
    <ShowBase queryOptions={QUERY}>
      <DomainPage />
    </ShowBase>
  )
}
