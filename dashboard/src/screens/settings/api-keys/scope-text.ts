/** The scope and the lifetime of a key, in words. */
import { dayText, enumeration } from '@homing/theme/formats'
import { KEY_ACTIONS } from '@homing/openapi/vocabulary'
import type { ApiKey, KeyScope } from '../../../api/api-keys.ts'

const SHOWN_DOMAINS = 3
const DAY_MS = 86_400_000
/** When the list warns about the end of a key. */
const SOON_DAYS = 14
/** When the list suggests deleting a key that is not used. */
const UNUSED_DAYS = 90

function domainsText(domains: readonly string[] | null): string {
  if (domains === null) return 'all your domains'
  const others = domains.length - SHOWN_DOMAINS
  if (others < 2) return enumeration(domains)
  return enumeration([...domains.slice(0, SHOWN_DOMAINS), `${others} others`])
}

/** Sentences without a subject: `Can read and update home.example.net.`, `Works only from 203.0.113.0/24.` */
export function scopeSentences(scope: KeyScope): string[] {
  const { domains, actions, record_types: types, networks } = scope
  const verbs = enumeration(actions ?? KEY_ACTIONS)
  return [
    `Can ${verbs} ${domainsText(domains)}.`,
    ...(types === null ? [] : [`Sets only ${enumeration(types)} records.`]),
    ...(networks === null ? [] : [`Works only from ${enumeration(networks)}.`]),
  ]
}

export interface Ending {
  readonly text: string
  readonly tone: 'plain' | 'soon' | 'over'
}

/** When a key expires. */
export function endingOf(apiKey: ApiKey, nowMs: number): Ending {
  const { expires_at: end, unused_days: unusedDays, is_expired: isExpired } = apiKey
  const isOver = end !== null && Date.parse(end) <= nowMs
  if (isExpired || isOver) return { text: 'Expired', tone: 'over' }
  const unused = unusedDays === null ? undefined : `after ${unusedDays} days without use`
  if (end === null) {
    return { text: unused === undefined ? 'Never expires' : `Expires ${unused}`, tone: 'plain' }
  }
  const days = Math.ceil((Date.parse(end) - nowMs) / DAY_MS)
  const or = unused === undefined ? '' : `, or ${unused}`
  if (days > SOON_DAYS) return { text: `Expires on ${dayText(end)}${or}`, tone: 'plain' }
  const left = days === 1 ? 'within a day' : `in ${days} days`
  return { text: `Expires ${left}${or}`, tone: 'soon' }
}

/** Whether a key was not used for 90 days, and works. */
export function isForgotten(apiKey: ApiKey, nowMs: number): boolean {
  const { last_used_at: used, rotated_at: rotated, created_at: created, is_expired } = apiKey
  const since = Date.parse(used ?? rotated ?? created)
  return !is_expired && nowMs - since > UNUSED_DAYS * DAY_MS
}
