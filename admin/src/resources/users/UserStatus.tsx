import BlockOutlined from '@mui/icons-material/BlockOutlined'
import CheckCircleOutlined from '@mui/icons-material/CheckCircleOutlined'
import { Mark } from '../../layout/Mark.tsx'
import { type AccountStatus, STATE_LABELS, stateOf } from './account-state.ts'

const MARKS = {
  active: { tone: 'ok', icon: CheckCircleOutlined },
  suspended: { tone: 'error', icon: BlockOutlined },
  disabled: { tone: 'error', icon: BlockOutlined },
} as const

/** Whether the account can be used. */
export function UserStatus({ user }: { user: AccountStatus }) {
  const state = stateOf(user)
  return <Mark {...MARKS[state]}>{STATE_LABELS[state]}</Mark>
}
