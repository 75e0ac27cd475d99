import { nextSerial } from '../../names/index.ts'
import type { Zone } from '../../zone/index.ts'
import { continues } from '../change-set.ts'
import type { ResyncReason } from '../events.ts'
import type { ChangesRead } from './change-reader.ts'

/**
 * Why a zone cannot go on from what is held and has to be read as a whole; undefined when it can.
 *
 * @param isStandby a read replica may be behind what its primary told us: that is no restore, and
 * waiting is right
 */
export function resyncReason(
  { version: held, isIncomplete }: Pick<Zone, 'version' | 'isIncomplete'>,
  { present, sets }: ChangesRead,
  isStandby: boolean,
): ResyncReason | undefined {
  if (present.feedId !== held.feedId) return 'feed-changed'
  if (present.serial < held.serial) return isStandby ? undefined : 'serial-went-back'
  // However it could go on: what names it should have is not known.
  if (isIncomplete) return 'incomplete'
  if (present.serial === held.serial) {
    return present.token === held.token ? undefined : 'history-differs'
  }
  const [next] = sets
  if (next !== undefined && continues(next, held)) return undefined
  const isNext = next?.version.serial === nextSerial(held.serial)
  return isNext ? 'history-differs' : 'behind-retention'
}
