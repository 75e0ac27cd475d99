/** What the account uses of its records, in words. */
import { count } from '@homing/theme/formats'
import type { RecordUsage } from '../../api/records.ts'

const nounOf = ({ record_types }: RecordUsage) =>
  record_types === 'txt' ? 'TXT values' : 'records'

/** `3 of 10 TXT values` */
export const usageText = (usage: RecordUsage): string =>
  `${count(usage.used)} of ${count(usage.limit)} ${nounOf(usage)}`

/** Why the account cannot have one record more; undefined if it can. */
export function fullReason(usage: RecordUsage): string | undefined {
  const { used, limit } = usage
  if (used < limit) return undefined
  return `Your plan includes ${count(limit)} ${nounOf(usage)}, and you have ${count(used)}.`
}
