import BlockOutlined from '@mui/icons-material/BlockOutlined'
import CheckCircleOutlined from '@mui/icons-material/CheckCircleOutlined'
import type { AdminUser } from '../../api/client.ts'
import { Mark } from '../../layout/Mark.tsx'

/** Whether the account is active. */
export function UserStatus({ user }: { user: Pick<AdminUser, 'enabled'> }) {
  return user.enabled ? (
    <Mark tone="ok" icon={CheckCircleOutlined}>
      Active
    </Mark>
  ) : (
    <Mark tone="error" icon={BlockOutlined}>
      Suspended
    </Mark>
  )
}
