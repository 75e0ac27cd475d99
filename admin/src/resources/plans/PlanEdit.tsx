/** One plan: what it includes, and its accounts. */
import Paper from '@mui/material/Paper'
import { EditBase, useEditContext } from 'react-admin'
import { Link } from 'react-router'
import type { AdminPlan } from '../../api/client.ts'
import { Ago } from '../../layout/Ago.tsx'
import { type Fact, Facts } from '../../layout/Facts.tsx'
import { RecordPage } from '../../layout/RecordPage.tsx'
import { count, counted, money } from '@homing/theme/formats'
import { PLAN_LABELS } from './plan-labels.ts'
import { PlanForm } from './PlanForm.tsx'
import { behindOf, usePlanState } from './preview.ts'

function priceOf(cents: number | null, currency: string): string {
  if (cents === null) return 'not for sale'
  return money(cents, currency)
}

const listOf = (id: AdminPlan['id']) =>
  `/users?filter=${encodeURIComponent(JSON.stringify({ account_type: id }))}`

function PlanFacts({ plan }: { plan: AdminPlan }) {
  const state = usePlanState(plan)
  const { id, currency } = plan
  const behind = state && behindOf(state)
  const facts: readonly Fact[] = [
    [
      'Accounts',
      <Link key="accounts" to={listOf(id)}>
        {state ? counted(state.account_count, 'account') : 'List'}
      </Link>,
    ],
    ...(state && behind !== undefined
      ? ([
          ['API keys', count(state.api_key_count)],
          ['Domains', behind === 0 ? 'all up to date' : `${counted(behind, 'domain')} to update`],
        ] as const)
      : []),
    ['Per month', priceOf(plan.price_month_cents, currency)],
    ['Per year', priceOf(plan.price_year_cents, currency)],
    ['Changed', <Ago key="changed" time={plan.updated_at} never="never" />],
  ]
  return <Facts facts={facts} />
}

function PlanPage() {
  const { record, error, refetch } = useEditContext<AdminPlan>()
  return (
    <RecordPage
      list={{ label: 'Plans', path: '/plans' }}
      record={record}
      error={error}
      onRetry={() => void refetch()}
      title={({ id }) => PLAN_LABELS[id]}
    >
      {(plan) => (
        <div className="record">
          <Paper className="panel" component="section" aria-label="Plan">
            {plan.id === 'disabled' ? (
              <p className="panel-text">
                This plan includes nothing and cannot be changed. Users on it cannot sign in, and
                their domains are not served.
              </p>
            ) : (
              <PlanForm plan={plan} />
            )}
          </Paper>
          <Paper className="panel" component="section" aria-label="Facts">
            <PlanFacts plan={plan} />
          </Paper>
        </div>
      )}
    </RecordPage>
  )
}

/** The page shows the error, so a notice is not needed. */
const QUERY = { onError: () => undefined, retry: false }

export default function PlanEdit() {
  return (
    <EditBase mutationMode="pessimistic" redirect={false} queryOptions={QUERY}>
      <PlanPage />
    </EditBase>
  )
}
