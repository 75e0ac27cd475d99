/** What is said after a web forward was saved, or was not. */
import { notify } from '@homing/theme/parts/Notices.tsx'
import type { SavedWebForward } from '../../api/web-forwards.ts'

/** @param what was done: `created` or `updated` */
export function tellSaved({ warning }: SavedWebForward, what: 'created' | 'updated'): void {
  const text =
    warning === undefined
      ? `Web forwarding ${what} successfully`
      : `Web forwarding ${what}. Note: ${warning}`
  notify({ kind: 'success', text })
}

export const SAVE_FAILURE = 'Failed to save web forwarding'
