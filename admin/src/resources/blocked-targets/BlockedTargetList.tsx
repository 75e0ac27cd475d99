/** All targets that no web forward can lead to. */
import { count } from '@homing/theme/formats'
import { Link } from 'react-router'
import type { BlockedTarget } from '../../api/client.ts'
import { Ago } from '../../layout/Ago.tsx'
import { Choice, Filters, SearchField } from '../../list/filters.tsx'
import { ListPage } from '../../list/ListPage.tsx'
import type { Column } from '../../list/RecordTable.tsx'
import { forwardsWhere } from '../web-forwards/links.tsx'
import { BlockButton } from './BlockButton.tsx'
import { SCOPE_CHOICES, SCOPES } from '../../layout/blocked-scopes.ts'
import { UnblockButton } from './UnblockButton.tsx'

const COLUMNS: readonly Column<BlockedTarget>[] = [
  {
    // Text, so that a click does not open the target.
    field: 'host',
    label: 'Target',
    isSortable: true,
    cell: ({ host, path, scope }) => (
      <>
        <span className="monospace breakable">{host + path}</span>
        <span className="second-line">{SCOPES[scope]}</span>
      </>
    ),
  },
  {
    field: 'reason',
    label: 'Reason',
    phone: 'whole',
    cell: ({ reason }) => <span className="breakable">{reason}</span>,
  },
  {
    field: 'forwards',
    label: 'Forwards stopped',
    isNumber: true,
    isSortable: true,
    cell: ({ id, forwards }) =>
      forwards === 0 ? (
        '0'
      ) : (
        <Link to={forwardsWhere({ blocked_target_id: id })}>{count(forwards)}</Link>
      ),
  },
  {
    field: 'blocked_at',
    label: 'Blocked',
    isSortable: true,
    cell: ({ blocked_at, blocked_by }) => (
      <>
        <Ago time={blocked_at} never="" />
        <span className="second-line">{blocked_by ?? 'deleted account'}</span>
      </>
    ),
  },
  {
    field: 'end',
    label: 'Block',
    phone: 'whole',
    cell: (block) => <UnblockButton block={block} />,
  },
]

const CHOICES = SCOPE_CHOICES.map(([value, label]) => ({ value, label }))

export function BlockedTargetList() {
  return (
    <ListPage
      resource="blocked-targets"
      title="Blocked targets"
      sort={{ field: 'id', order: 'DESC' }}
      columns={COLUMNS}
      empty="No targets are blocked."
      action={<BlockButton />}
    >
      <Filters>
        <SearchField label="Search target" />
        <Choice label="Scope" field="scope" all="All scopes" choices={CHOICES} />
      </Filters>
    </ListPage>
  )
}
