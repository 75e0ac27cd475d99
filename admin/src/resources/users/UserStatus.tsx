import BlockOutlined from '@mui/icons-material/BlockOutlined'
import CheckCircleOutlined from '@mui/icons-material/CheckCircleOutlined'
import { Mark } from '../../layout/Mark.tsx'
import { type AccountStatus, stateOf } from './account-state.ts'

const MARKS = {
  active: { tone: 'ok', icon: CheckCircleOutlined, children: 'Active' },
  suspended: { tone: 'error', icon: BlockOutlined, children: 'Suspended' },
  disabled: { tone: 'error', icon: BlockOutlined, children: 'Disabled' },
} as const

/** Whether the account can be used. */
export const UserStatus = ({ user }: { user: AccountStatus }) => <Mark {...MARKS[stateOf(user)]} />
