import { nextSerial } from '../../names/index.ts'
import type { Zone } from '../../zone/index.ts'
import { continues } from '../change-set.ts'
import type { ResyncReason } from '../events.ts'
import type { ChangesRead } from './change-reader.ts'

/**
 * Why a zone must be read as a whole instead of continuing from the loaded version; undefined when
 * it can continue.
 *
 * @param isStandby a read replica may lag behind its primary: that is not a restore, and waiting is
 * correct
 */
export function resyncReason(
  { version: held, isIncomplete }: Pick<Zone, 'version' | 'isIncomplete'>,
  { present, sets }: ChangesRead,
  isStandby: boolean,
): ResyncReason | undefined {
  if (present.feedId !== held.feedId) return 'feed-changed'
  if (present.serial < held.serial) return isStandby ? undefined : 'serial-went-back'
  // Continuing is not enough, because the names that it should have are unknown.
  if (isIncomplete) return 'incomplete'
  if (present.serial === held.serial) {
    return present.token === held.token ? undefined : 'history-differs'
  }
  const [next] = sets
  if (next !== undefined && continues(next, held)) return undefined
  const isNext = next?.version.serial === nextSerial(held.serial)
  return isNext ? 'history-differs' : 'behind-retention'
}
