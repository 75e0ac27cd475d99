/** All plans: those that users can choose, the administrators' plan, and the plan of closed accounts. */
import { Link } from 'react-router'
import type { AdminPlan } from '../../api/client.ts'
import { Ago } from '../../layout/Ago.tsx'
import { ListPage } from '../../list/ListPage.tsx'
import type { Column } from '../../list/RecordTable.tsx'
import { count, spanText } from '@homing/theme/formats'
import { abilityLabel } from './ability-labels.ts'
import { PLAN_LABELS } from './plan-labels.ts'

const COLUMNS: readonly Column<AdminPlan>[] = [
  {
    field: 'id',
    label: 'Plan',
    cell: ({ id }) => (
      <Link to={`/plans/${id}`} className="row-link">
        {PLAN_LABELS[id]}
      </Link>
    ),
  },
  {
    field: 'domain_limit',
    label: 'Domains',
    isNumber: true,
    cell: ({ domain_limit }) => count(domain_limit),
  },
  {
    field: 'ttl',
    label: 'TTL',
    isNumber: true,
    cell: ({ ttl }) => <span className="unbroken">{spanText(ttl)}</span>,
  },
  {
    field: 'record_limit',
    label: 'Records',
    isNumber: true,
    cell: ({ record_limit, record_types }) =>
      record_types === 'txt' ? `${count(record_limit)} TXT values` : count(record_limit),
  },
  {
    field: 'abilities',
    label: 'Features',
    phone: 'whole',
    cell: ({ id, abilities }) =>
      abilities.length === 0 ? (
        <span className="muted">{id === 'disabled' ? 'nothing' : 'domains only'}</span>
      ) : (
        abilities.map(abilityLabel).join(', ')
      ),
  },
  {
    field: 'updated_at',
    label: 'Changed',
    cell: ({ updated_at }) => <Ago time={updated_at} never="never" />,
  },
]

export function PlanList() {
  return (
    <ListPage
      resource="plans"
      title="Plans"
      sort={{ field: 'id', order: 'ASC' }}
      columns={COLUMNS}
      empty="No plans exist."
    />
  )
}
