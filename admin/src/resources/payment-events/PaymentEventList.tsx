/** The events that payment providers sent, and what became of them. */
import { Fragment } from 'react'
import { Link } from 'react-router'
import type { AdminPaymentEvent } from '../../api/client.ts'
import { Ago } from '../../layout/Ago.tsx'
import { Choice, Filters, SearchField } from '../../list/filters.tsx'
import { ListPage } from '../../list/ListPage.tsx'
import { ObjectFilter } from '../../list/ObjectFilter.tsx'
import type { Column } from '../../list/RecordTable.tsx'
import { ALL, StateCounts } from '../../list/StateCounts.tsx'
import { choicesOf, PROVIDERS } from '../subscriptions/words.ts'
import { EventState, STATES } from './EventState.tsx'

const subscriptionsWhere = (id: string) =>
  `/subscriptions?${new URLSearchParams({ filter: JSON.stringify({ id }) }).toString()}`

/** Long types break after their words. */
function EventType({ type }: Pick<AdminPaymentEvent, 'type'>) {
  return type.split(/(?<=[._])/).map((word, place) => (
    <Fragment key={`${place} ${word}`}>
      {word}
      <wbr />
    </Fragment>
  ))
}

const COLUMNS: readonly Column<AdminPaymentEvent>[] = [
  {
    field: 'type',
    label: 'Event',
    isSortable: true,
    cell: ({ type, event_id }) => (
      <>
        <EventType type={type} />
        <span className="second-line monospace breakable">{event_id}</span>
      </>
    ),
  },
  {
    field: 'provider',
    label: 'Provider',
    cell: ({ provider }) => PROVIDERS[provider],
  },
  {
    field: 'state',
    label: 'State',
    isSortable: true,
    phone: 'corner',
    cell: (event) => <EventState event={event} />,
  },
  {
    field: 'object_id',
    label: 'About',
    cell: ({ object_id, subscription_id }) => (
      <>
        <span className="monospace breakable">{object_id ?? '–'}</span>
        {subscription_id !== null && (
          <span className="second-line">
            <Link to={subscriptionsWhere(subscription_id)}>Subscription {subscription_id}</Link>
          </span>
        )}
      </>
    ),
  },
  {
    field: 'attempts',
    label: 'Attempts',
    isNumber: true,
    cell: ({ attempts }) => String(attempts),
  },
  {
    field: 'received_at',
    label: 'Received',
    isSortable: true,
    cell: ({ received_at }) => <Ago time={received_at} never="" />,
  },
  {
    field: 'applied_at',
    label: 'Applied',
    cell: ({ applied_at }) => <Ago time={applied_at} never="never" />,
  },
]

export function PaymentEventList() {
  return (
    <ListPage
      resource="payment-events"
      title="Payment events"
      sort={{ field: 'id', order: 'DESC' }}
      columns={COLUMNS}
      empty="No payment provider has sent an event."
    >
      <StateCounts label="State" field="state" states={[ALL, ...choicesOf(STATES)]} />
      <Filters>
        <SearchField label="Search type or id" />
        <Choice
          label="Provider"
          field="provider"
          all="All providers"
          choices={choicesOf(PROVIDERS)}
        />
        <ObjectFilter label="Subscription" field="subscription_id" />
      </Filters>
    </ListPage>
  )
}
