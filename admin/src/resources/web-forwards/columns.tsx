/** The columns of the list of web forwards. */
import { DomainLink } from '../../layout/DomainLink.tsx'
import { count } from '@homing/theme/formats'
import { Link } from 'react-router'
import type { AdminWebForward } from '../../api/client.ts'
import { Ago } from '../../layout/Ago.tsx'
import type { Column } from '../../list/RecordTable.tsx'
import { ModerateButton } from './ModerateButton.tsx'
import { TargetCheck } from './TargetCheck.tsx'
import { WebForwardStatus } from './WebForwardStatus.tsx'

const FALLBACKS = {
  'frames-refused': 'redirects: the target refuses frames',
  'mixed-content': 'redirects: the target uses http',
  plan: 'redirects: the plan has no stealth flag left',
} as const satisfies Record<NonNullable<AdminWebForward['fallback']>, string>

/** What visitors get. */
function typeOf({ forwarding_type, status_code, fallback }: AdminWebForward): string {
  if (forwarding_type === 'redirect') return `Redirect ${status_code}`
  return fallback === null ? 'Stealth' : `Stealth, ${FALLBACKS[fallback]}`
}

/** Why the forward is disabled, since when and by which administrator. */
function Disabling({ forward }: { forward: AdminWebForward }) {
  const { is_disabled, disabled_reason, disabled_at, disabled_by } = forward
  if (!is_disabled) return null
  return (
    <>
      <span className="second-line breakable">{disabled_reason}</span>
      <span className="second-line">
        {disabled_by ?? 'deleted account'}, <Ago time={disabled_at} never="" />
      </span>
    </>
  )
}

export const COLUMNS: readonly Column<AdminWebForward>[] = [
  {
    field: 'fqdn',
    label: 'Domain',
    isSortable: true,
    cell: ({ domain_id, fqdn }) => <DomainLink id={domain_id} fqdn={fqdn} />,
  },
  {
    field: 'username',
    label: 'Owner',
    cell: ({ user_id, username }) => <Link to={`/users/${user_id}`}>{username}</Link>,
  },
  {
    // Text, so that a click does not open the target.
    field: 'target_url',
    label: 'Target',
    isSortable: true,
    phone: 'whole',
    cell: (forward) => (
      <>
        <span className="monospace breakable">{forward.target_url}</span>
        <span className="second-line">{typeOf(forward)}</span>
      </>
    ),
  },
  {
    field: 'hits_7d',
    label: 'Hits (7 days)',
    isNumber: true,
    cell: ({ hits_7d }) => count(hits_7d),
  },
  {
    field: 'checked_at',
    label: 'Check',
    isSortable: true,
    cell: (forward) => <TargetCheck forward={forward} />,
  },
  {
    field: 'status',
    label: 'Status',
    phone: 'corner',
    cell: (forward) => <WebForwardStatus forward={forward} />,
  },
  {
    field: 'created_at',
    label: 'Created',
    isSortable: true,
    cell: ({ created_at }) => <Ago time={created_at} never="" />,
  },
  {
    field: 'moderation',
    label: 'Moderation',
    phone: 'whole',
    cell: (forward) => (
      <>
        <ModerateButton forward={forward} />
        <Disabling forward={forward} />
      </>
    ),
  },
]
