import { DomainLink } from '../../layout/DomainLink.tsx'
import { spanText } from '@homing/theme/formats'
import { Link } from 'react-router'
import type { AdminMonitor } from '../../api/client.ts'
import { Ago } from '../../layout/Ago.tsx'
import type { Column } from '../../list/RecordTable.tsx'
import { DueTime } from './DueTime.tsx'
import { MonitorState } from './MonitorState.tsx'

export const COLUMNS: readonly Column<AdminMonitor>[] = [
  {
    field: 'fqdn',
    label: 'Domain',
    isSortable: true,
    cell: ({ domain_id, fqdn }) => <DomainLink id={domain_id} fqdn={fqdn} />,
  },
  {
    field: 'username',
    label: 'Owner',
    cell: ({ user_id, username, is_account_paused }) => (
      <>
        <Link to={`/users/${user_id}`}>{username}</Link>
        {is_account_paused && <span className="second-line">account paused</span>}
      </>
    ),
  },
  {
    field: 'kind',
    label: 'Kind',
    cell: ({ kind, interval_seconds }) => (
      <>
        {kind ?? <span className="muted">not chosen</span>}
        <span className="second-line unbroken">every {spanText(interval_seconds)}</span>
      </>
    ),
  },
  {
    field: 'state',
    label: 'State',
    isSortable: true,
    phone: 'corner',
    cell: (monitor) => <MonitorState monitor={monitor} />,
  },
  {
    field: 'state_since',
    label: 'Since',
    isSortable: true,
    cell: ({ state_since }) => <Ago time={state_since} never="–" />,
  },
  {
    field: 'last_check_at',
    label: 'Last check',
    cell: ({ last_check_at }) => <Ago time={last_check_at} never="never" />,
  },
  {
    field: 'due_at',
    label: 'Next check',
    isSortable: true,
    cell: ({ due_at }) => <DueTime dueAt={due_at} />,
  },
]
