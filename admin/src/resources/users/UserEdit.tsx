/** One account: its properties, and the form to change it. */
import Paper from '@mui/material/Paper'
import { EditBase, useEditContext } from 'react-admin'
import { Link } from 'react-router'
import type { AdminUser } from '../../api/client.ts'
import { Ago } from '../../layout/Ago.tsx'
import { type Fact, Facts } from '../../layout/Facts.tsx'
import { RecordPage } from '../../layout/RecordPage.tsx'
import { counted, timeText } from '@homing/theme/formats'
import { AccountPause } from '../monitors/AccountPause.tsx'
import { MonitorsOfUser } from '../monitors/links.tsx'
import { usePlans } from '../plans/plans.ts'
import { SubscriptionPanel } from '../subscriptions/SubscriptionPanel.tsx'
import { RecordsOfUser } from '../records/links.tsx'
import { ForwardsOfUser } from '../web-forwards/links.tsx'
import { ZonesOfUser } from '../zones/links.tsx'
import { UserForm } from './UserForm.tsx'
import { UserStatus } from './UserStatus.tsx'

const factsOf = (user: AdminUser): readonly Fact[] => [
  ['Status', <UserStatus key="status" user={user} />],
  [
    'Domains',
    <Link key="domains" to={`/domains?user_id=${user.id}`}>
      {counted(user.domain_count, 'domain')}
    </Link>,
  ],
  ['Own zones', <ZonesOfUser key="zones" userId={user.id} />],
  ['Records', <RecordsOfUser key="records" userId={user.id} />],
  ['Web forwards', <ForwardsOfUser key="forwards" userId={user.id} />],
  ['Monitors', <MonitorsOfUser key="monitors" userId={user.id} />],
  ['Email address', user.email_verified ? 'verified' : 'not verified'],
  ['Registered', timeText(user.created_at)],
  ['Last sign-in', <Ago key="login" time={user.last_login} never="never" />],
  ['Last sign-in from', user.last_login_ip ?? '–'],
  ['Id', user.id],
]

function UserPage() {
  const { record, error, refetch } = useEditContext<AdminUser>()
  const plans = usePlans()
  return (
    <RecordPage
      list={{ label: 'Users', path: '/users' }}
      record={record}
      error={error}
      onRetry={() => void refetch()}
      title={({ username }) => username}
    >
      {(user) => (
        <div className="record">
          <Paper className="panel" component="section" aria-label="Account">
            <UserForm user={user} plans={plans} />
          </Paper>
          <Paper className="panel" component="section" aria-label="Facts">
            <Facts facts={factsOf(user)} />
          </Paper>
          <Paper className="panel" component="section" aria-label="Subscription">
            <SubscriptionPanel user={user} />
          </Paper>
          <Paper className="panel" component="section" aria-label="Monitoring">
            <AccountPause user={user} />
          </Paper>
        </div>
      )}
    </RecordPage>
  )
}

/** The page shows the error, so a notice is not needed. */
const QUERY = { onError: () => undefined, retry: false }

export default function UserEdit() {
  return (
    <EditBase mutationMode="pessimistic" redirect={false} queryOptions={QUERY}>
      <UserPage />
    </EditBase>
  )
}
