import BuildOutlined from '@mui/icons-material/BuildOutlined'
import CheckCircleOutlined from '@mui/icons-material/CheckCircleOutlined'
import ErrorOutlined from '@mui/icons-material/ErrorOutlined'
import HourglassEmptyOutlined from '@mui/icons-material/HourglassEmptyOutlined'
import PauseCircleOutlined from '@mui/icons-material/PauseCircleOutlined'
import PowerSettingsNewOutlined from '@mui/icons-material/PowerSettingsNewOutlined'
import QuestionMarkOutlined from '@mui/icons-material/QuestionMarkOutlined'
import type { AdminMonitor } from '../../api/client.ts'
import { StateMark, stateChoices } from '../../layout/StateMark.tsx'

const STATES = {
  up: { label: 'Up', tone: 'ok', icon: CheckCircleOutlined },
  down: { label: 'Down', tone: 'error', icon: ErrorOutlined },
  unknown: { label: 'Unknown', tone: 'warn', icon: QuestionMarkOutlined },
  pending: { label: 'Pending', tone: 'plain', icon: HourglassEmptyOutlined },
  undecided: { label: 'Undecided', tone: 'plain', icon: QuestionMarkOutlined },
  maintenance: { label: 'Maintenance', tone: 'plain', icon: BuildOutlined },
  stopped: { label: 'Stopped', tone: 'warn', icon: PauseCircleOutlined },
  off: { label: 'Off', tone: 'plain', icon: PowerSettingsNewOutlined },
} as const satisfies Record<AdminMonitor['state'], object>

/** The filters of the list, in the order of importance. */
export const STATE_CHOICES = stateChoices(STATES)

/** The state, and why the monitor is down or unknown. */
export function MonitorState({ monitor: { state, cause } }: { monitor: AdminMonitor }) {
  return <StateMark state={STATES[state]} note={cause?.replaceAll('-', ' ') ?? null} />
}
