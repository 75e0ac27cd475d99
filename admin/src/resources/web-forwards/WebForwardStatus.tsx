import BlockOutlined from '@mui/icons-material/BlockOutlined'
import CheckCircleOutlined from '@mui/icons-material/CheckCircleOutlined'
import PauseCircleOutlined from '@mui/icons-material/PauseCircleOutlined'
import type { AdminWebForward } from '../../api/client.ts'
import { Mark } from '../../layout/Mark.tsx'

type Shown = Pick<AdminWebForward, 'is_active' | 'is_disabled'>

/** Whether the forward is in force; if not, all reasons. */
export function WebForwardStatus({ forward: { is_active, is_disabled } }: { forward: Shown }) {
  if (is_active && !is_disabled) {
    return (
      <Mark tone="ok" icon={CheckCircleOutlined}>
        Active
      </Mark>
    )
  }
  return (
    <span className="marks">
      {is_disabled && (
        <Mark tone="error" icon={BlockOutlined}>
          Disabled
        </Mark>
      )}
      {!is_active && (
        <Mark tone="plain" icon={PauseCircleOutlined}>
          Paused
        </Mark>
      )}
    </span>
  )
}
