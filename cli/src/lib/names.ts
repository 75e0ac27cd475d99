/** Names as people type them. */
import type { ApiClient } from '@homing/openapi/client'
import { bodyOf } from './api.ts'
import { usage } from './failure.ts'

/**
 * The whole name: what has no dot is the label below the zone, when one zone alone is on offer.
 *
 * @throws CommandFailure that lists the whole names when there are several zones
 */
export async function wholeName(api: ApiClient, typed: string): Promise<string> {
  if (typed.includes('.')) return typed
  const zones = bodyOf(await api.GET('/api/zones/available')).map(({ zone }) => zone)
  if (zones.length === 1) return `${typed}.${zones[0]}`
  const meant = zones.map((zone) => `${typed}.${zone}`).join(' or ')
  throw usage(
    meant === ''
      ? `${typed} is not a whole name, and no zone is on offer.`
      : `${typed} could be several names. Give the whole one: ${meant}.`,
  )
}
