import BlockOutlined from '@mui/icons-material/BlockOutlined'
import CheckCircleOutlined from '@mui/icons-material/CheckCircleOutlined'
import DataUsageOutlined from '@mui/icons-material/DataUsageOutlined'
import LockOutlined from '@mui/icons-material/LockOutlined'
import PauseCircleOutlined from '@mui/icons-material/PauseCircleOutlined'
import type { AdminDomain } from '../../api/client.ts'
import { Mark } from '../../layout/Mark.tsx'

const REASONS = {
  locked: { label: 'Locked', tone: 'error', icon: LockOutlined },
  paused: { label: 'Paused', tone: 'plain', icon: PauseCircleOutlined },
  over_limit: { label: 'Over the limit', tone: 'warn', icon: DataUsageOutlined },
  owner_blocked: { label: 'Owner suspended', tone: 'error', icon: BlockOutlined },
} as const

/** Whether DNS serves the domain; if not, all reasons. */
export function DomainStatus({ domain }: { domain: Pick<AdminDomain, 'withheld_by'> }) {
  if (domain.withheld_by.length === 0) {
    return (
      <Mark tone="ok" icon={CheckCircleOutlined}>
        Active
      </Mark>
    )
  }
  return (
    <span className="marks">
      {domain.withheld_by.map((reason) => (
        <Mark key={reason} tone={REASONS[reason].tone} icon={REASONS[reason].icon}>
          {REASONS[reason].label}
        </Mark>
      ))}
    </span>
  )
}
