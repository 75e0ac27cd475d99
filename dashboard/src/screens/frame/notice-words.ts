import type { AccountNotice } from '../../api/notices.ts'
import type { IconName } from '@homing/theme/parts/Icon.tsx'

export const SEVERITIES: Readonly<
  Record<AccountNotice['severity'], { readonly icon: IconName; readonly label: string }>
> = {
  error: { icon: 'failure', label: 'Problem' },
  warning: { icon: 'warning', label: 'Attention' },
  info: { icon: 'info', label: 'Note' },
}

/** Where a notice can be settled. The app's own places change the fragment only. */
export const noticeHref = ({ action }: AccountNotice): string => action.url.replace(/^\/#/, '#')
