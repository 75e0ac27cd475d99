import CheckCircleOutlined from '@mui/icons-material/CheckCircleOutlined'
import ErrorOutlined from '@mui/icons-material/ErrorOutlined'
import WarningAmberOutlined from '@mui/icons-material/WarningAmberOutlined'
import type { AdminWebForward } from '../../api/client.ts'
import { Ago } from '../../layout/Ago.tsx'
import { Mark } from '../../layout/Mark.tsx'

type Finding = NonNullable<AdminWebForward['check_result']>['finding']

const BROKEN = { tone: 'warn', icon: WarningAmberOutlined } as const
const FORBIDDEN = { tone: 'error', icon: ErrorOutlined } as const

const FINDINGS = {
  reachable: { label: 'Reachable', tone: 'ok', icon: CheckCircleOutlined },
  'leads-back': { label: 'Leads back here', ...FORBIDDEN },
  'private-address': { label: 'Private address', ...FORBIDDEN },
  'unknown-host': { label: 'Unknown host', ...BROKEN },
  'no-answer': { label: 'No answer', ...BROKEN },
  tls: { label: 'Certificate problem', ...BROKEN },
  'too-many-redirects': { label: 'Too many redirects', ...BROKEN },
  'error-status': { label: 'Error page', ...BROKEN },
  'invalid-answer': { label: 'Invalid answer', ...BROKEN },
} as const satisfies Record<Finding, object>

/** What the last check of the target found, and when. */
export function TargetCheck({ forward }: { forward: AdminWebForward }) {
  const { check_result: check, last_checked_at } = forward
  if (check === null) return <span className="muted">not checked</span>
  const { label, tone, icon } = FINDINGS[check.finding]
  return (
    <>
      <Mark tone={tone} icon={icon}>
        {label}
      </Mark>
      {check.finding !== 'reachable' && (
        <span className="second-line breakable">{check.message}</span>
      )}
      <span className="second-line">
        <Ago time={last_checked_at} never="not checked" />
      </span>
    </>
  )
}
