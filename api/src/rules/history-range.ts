/** The range and the resolution of a history of uptime. */
import { HISTORY_PARTS_LIMIT, HISTORY_RESOLUTIONS } from '@homing/openapi/vocabulary'
import { type AskedRange, type PartRange, partRange, type RangeLimits } from './part-range.ts'

const LIMITS: RangeLimits = {
  what: 'history',
  resolutions: {
    '5m': { seconds: HISTORY_RESOLUTIONS['5m'], keptDays: 35 },
    '1h': { seconds: HISTORY_RESOLUTIONS['1h'], keptDays: 35 },
    '1d': { seconds: HISTORY_RESOLUTIONS['1d'], keptDays: 400 },
  },
  partsLimit: HISTORY_PARTS_LIMIT,
}

/**
 * The parts that a call asks for.
 *
 * @throws Refusal `validation-failed`, as `partRange`
 */
export const historyRange = (asked: AskedRange, now: Date): PartRange =>
  partRange(LIMITS, asked, now)
