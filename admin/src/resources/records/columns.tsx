/** The columns of the list of records. */
import { spanText } from '@homing/theme/formats'
import { Link } from 'react-router'
import type { AdminRecord } from '../../api/client.ts'
import { Ago } from '../../layout/Ago.tsx'
import { DomainLink } from '../../layout/DomainLink.tsx'
import type { Column } from '../../list/RecordTable.tsx'

/** A record can have a hundred values, and a value thousands of characters. */
const SHOWN_VALUES = 3
const SHOWN_CHARACTERS = 200

const shortened = (value: string): string =>
  value.length > SHOWN_CHARACTERS ? `${value.slice(0, SHOWN_CHARACTERS)}…` : value

function Values({ values }: Pick<AdminRecord, 'values'>) {
  const others = values.length - SHOWN_VALUES
  return (
    <>
      {values.slice(0, SHOWN_VALUES).map((value) => (
        <span key={value} className="record-value monospace breakable">
          {shortened(value)}
        </span>
      ))}
      {others > 0 && <span className="second-line">and {others} more</span>}
    </>
  )
}

export const COLUMNS: readonly Column<AdminRecord>[] = [
  {
    field: 'owner',
    label: 'Name',
    isSortable: true,
    phone: 'whole',
    cell: ({ owner, is_served }) => (
      <>
        <span className="monospace breakable">{owner}</span>
        {!is_served && <span className="second-line">not served</span>}
      </>
    ),
  },
  { field: 'type', label: 'Type', isSortable: true, cell: ({ type }) => type },
  {
    field: 'ttl',
    label: 'TTL',
    isSortable: true,
    isNumber: true,
    cell: ({ ttl }) => <span className="unbroken">{spanText(ttl)}</span>,
  },
  {
    field: 'values',
    label: 'Values',
    phone: 'whole',
    cell: ({ values }) => <Values values={values} />,
  },
  {
    field: 'fqdn',
    label: 'Domain or zone',
    cell: ({ domain_id, fqdn, zone }) =>
      domain_id === null || fqdn === null ? (
        <>
          <span className="monospace breakable">{zone}</span>
          <span className="second-line">own zone</span>
        </>
      ) : (
        <DomainLink id={domain_id} fqdn={fqdn} />
      ),
  },
  {
    field: 'username',
    label: 'Owner',
    cell: ({ user_id, username }) => <Link to={`/users/${user_id}`}>{username}</Link>,
  },
  {
    field: 'created_at',
    label: 'Created',
    isSortable: true,
    cell: ({ created_at }) => <Ago time={created_at} never="" />,
  },
]
