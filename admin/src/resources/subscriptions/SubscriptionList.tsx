/** The subscriptions of all accounts. Administrators read them at the provider again and refund payments. */
import { Choice, Filters, SearchField } from '../../list/filters.tsx'
import { ListPage } from '../../list/ListPage.tsx'
import { ObjectFilter } from '../../list/ObjectFilter.tsx'
import { OwnerFilter } from '../../list/OwnerFilter.tsx'
import { ALL, StateCounts } from '../../list/StateCounts.tsx'
import { COLUMNS } from './columns.tsx'
import { choicesOf, PLANS, PROVIDERS, STATES } from './words.ts'

export function SubscriptionList() {
  return (
    <ListPage
      resource="subscriptions"
      title="Subscriptions"
      sort={{ field: 'id', order: 'DESC' }}
      columns={COLUMNS}
      empty="Nobody has subscribed."
    >
      <StateCounts label="State" field="state" states={[ALL, ...choicesOf(STATES)]} />
      <Filters>
        <SearchField label="Search account or id at the provider" />
        <Choice label="Plan" field="plan" all="All plans" choices={choicesOf(PLANS)} />
        <Choice
          label="Provider"
          field="provider"
          all="All providers"
          choices={choicesOf(PROVIDERS)}
        />
        <OwnerFilter records="subscriptions" />
        <ObjectFilter label="Subscription" field="id" />
      </Filters>
    </ListPage>
  )
}
