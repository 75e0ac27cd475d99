/** All accounts. */
import { useMemo } from 'react'
import { Link } from 'react-router'
import type { AdminPlan, AdminUser } from '../../api/client.ts'
import { Ago } from '../../layout/Ago.tsx'
import { Choice, Filters, SearchField } from '../../list/filters.tsx'
import { ListPage } from '../../list/ListPage.tsx'
import type { Column } from '../../list/RecordTable.tsx'
import { ALL, StateCounts } from '../../list/StateCounts.tsx'
import { count } from '@homing/theme/formats'
import { PLAN_CHOICES, PLAN_LABELS } from '../plans/plan-labels.ts'
import { choicesOf } from '../subscriptions/words.ts'
import { usePlans } from '../plans/plans.ts'
import { STATE_LABELS } from './account-state.ts'
import { UserStatus } from './UserStatus.tsx'

const STATES = [ALL, ...choicesOf(STATE_LABELS)]

const fullName = ({ given_name, surname }: AdminUser) =>
  [given_name, surname].filter((name) => name !== null).join(' ')

function Person({ user }: { user: AdminUser }) {
  return (
    <>
      <Link to={`/users/${user.id}`} className="row-link">
        {user.username}
      </Link>
      {fullName(user) && <span className="second-line">{fullName(user)}</span>}
    </>
  )
}

function Address({ user }: { user: AdminUser }) {
  return (
    <>
      <span className="breakable">{user.email}</span>
      {!user.email_verified && <span className="second-line">not verified</span>}
    </>
  )
}

/** The number of domains and the plan's limit, with a link to the domains. */
function Domains({ user, plans }: { user: AdminUser; plans: readonly AdminPlan[] | undefined }) {
  const limit = plans?.find(({ id }) => id === user.account_type)?.domain_limit
  const places =
    limit === undefined
      ? count(user.domain_count)
      : `${count(user.domain_count)} of ${count(limit)}`
  return (
    <Link to={`/domains?user_id=${user.id}`} aria-label={`${places} domains of ${user.username}`}>
      {places}
    </Link>
  )
}

function LastSignIn({ user }: { user: AdminUser }) {
  return (
    <>
      <Ago time={user.last_login} never="never" />
      {user.last_login_ip && <span className="second-line monospace">{user.last_login_ip}</span>}
    </>
  )
}

const columnsWith = (plans: readonly AdminPlan[] | undefined): readonly Column<AdminUser>[] => [
  { field: 'username', label: 'User', isSortable: true, cell: (user) => <Person user={user} /> },
  {
    field: 'email',
    label: 'Email',
    isSortable: true,
    phone: 'whole',
    cell: (user) => <Address user={user} />,
  },
  {
    field: 'account_type',
    label: 'Plan',
    isSortable: true,
    cell: ({ account_type }) => PLAN_LABELS[account_type],
  },
  {
    field: 'enabled',
    label: 'Status',
    isSortable: true,
    phone: 'corner',
    cell: (user) => <UserStatus user={user} />,
  },
  {
    field: 'domain_count',
    label: 'Domains',
    isSortable: true,
    isNumber: true,
    cell: (user) => <Domains user={user} plans={plans} />,
  },
  {
    field: 'last_login',
    label: 'Last sign-in',
    isSortable: true,
    cell: (user) => <LastSignIn user={user} />,
  },
  {
    field: 'created_at',
    label: 'Registered',
    isSortable: true,
    cell: ({ created_at }) => <Ago time={created_at} never="" />,
  },
]

export function UserList() {
  const plans = usePlans()
  const columns = useMemo(() => columnsWith(plans), [plans])
  return (
    <ListPage
      resource="users"
      title="Users"
      sort={{ field: 'id', order: 'DESC' }}
      columns={columns}
      empty="No accounts exist."
    >
      <StateCounts label="Status" field="status" states={STATES} />
      <Filters>
        <SearchField label="Search name or email" />
        <Choice label="Plan" field="account_type" all="All plans" choices={PLAN_CHOICES} />
      </Filters>
    </ListPage>
  )
}
