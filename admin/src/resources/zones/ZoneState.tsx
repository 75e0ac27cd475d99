import CheckCircleOutlined from '@mui/icons-material/CheckCircleOutlined'
import ErrorOutlined from '@mui/icons-material/ErrorOutlined'
import HourglassEmptyOutlined from '@mui/icons-material/HourglassEmptyOutlined'
import PauseCircleOutlined from '@mui/icons-material/PauseCircleOutlined'
import TimerOffOutlined from '@mui/icons-material/TimerOffOutlined'
import type { AdminOwnZone } from '../../api/client.ts'
import { StateMark, stateChoices } from '../../layout/StateMark.tsx'

const STATES = {
  pending: { label: 'Pending', tone: 'plain', icon: HourglassEmptyOutlined },
  active: { label: 'Active', tone: 'ok', icon: CheckCircleOutlined },
  withheld: { label: 'Withheld', tone: 'error', icon: PauseCircleOutlined },
  lost: { label: 'Lost', tone: 'error', icon: ErrorOutlined },
  expired: { label: 'Expired', tone: 'plain', icon: TimerOffOutlined },
} as const satisfies Record<AdminOwnZone['state'], object>

/** The filters of the list, in the order of importance. */
export const STATE_CHOICES = stateChoices(STATES)

/** The state, and whether the last check of an active zone found an error. */
export function ZoneState({ zone: { state, last_check } }: { zone: AdminOwnZone }) {
  if (state === 'active' && last_check?.is_right === false) {
    const broken = { ...STATES.active, tone: 'warn', icon: ErrorOutlined } as const
    return <StateMark state={broken} note="check failed" />
  }
  return <StateMark state={STATES[state]} note={null} />
}
