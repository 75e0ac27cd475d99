import type { BlockedTargetScope } from '@homing/openapi/vocabulary'
import { bigint, nullable, text, textOf, timestamptz } from './columns.ts'
import { belongsTo, type Row, table } from './table.ts'
import { User } from './user.ts'

/** Targets of web forwards that administrators blocked for everybody. A block does not expire. */
export class BlockedTarget extends table('blocked_targets', {
  id: bigint,
  /** In A-labels, without a port, a final dot and the brackets of IPv6. */
  host: text,
  scope: textOf<BlockedTargetScope>(),
  /** Empty unless the scope is `path`; then normalised, without a final slash. */
  path: text,
  /** The owners of the forwards that it stops read it. */
  reason: text,
  blocked_at: timestamptz,
  /** Null: the account of that administrator was deleted. */
  blocked_by: nullable(bigint),
}) {
  declare administrator?: User
  static override readonly relationMappings = {
    administrator: belongsTo(User, 'blocked_targets.blocked_by'),
  }
}

/** A plain row of `blocked_targets`. */
export type BlockedTargetRow = Row<typeof BlockedTarget>
