import type { NoticeKind } from '@homing/openapi'
import { bigint, textOf, timestamptz } from './columns.ts'
import { belongsTo, ownedBy, table } from './table.ts'
import { User } from './user.ts'

/** Notices that owners of accounts dismissed: one row for each kind. */
export class NoticeDismissal extends table(
  'notice_dismissals',
  {
    user_id: bigint,
    kind: textOf<NoticeKind>(),
    /** Notices of this kind whose cause occurred at this time or before are hidden. */
    occurred_at: timestamptz,
    dismissed_at: timestamptz,
  },
  ['user_id', 'kind'],
) {
  declare account?: User
  static override readonly relationMappings = {
    account: belongsTo(User, 'notice_dismissals.user_id'),
  }
  static override readonly modifiers = { ownedBy }
}
