import { Icon } from '@homing/theme/parts/Icon.tsx'
import { hashOf } from '../../routes.ts'

export function BackToDashboard() {
  return (
    <a className="line-button" href={hashOf('dashboard')}>
      <Icon name="back" size={16} />
      Back to Dashboard
    </a>
  )
}
