/** Names as people type them. */
import type { ApiClient } from '@homing/openapi/client'
import { listOf } from './api.ts'
import { usage } from './failure.ts'

/** Nothing, and what a URL takes for a step of its path: it would lead to another resource. */
const NO_NAME = /^\.{0,2}$/

/**
 * The whole name: what has no dot is the label below the zone, when one zone alone is on offer;
 * `*.home` is the wildcard of such a label.
 *
 * @throws CommandFailure that lists the whole names when there are several zones
 */
export async function wholeName(api: ApiClient, typed: string): Promise<string> {
  if (NO_NAME.test(typed)) throw usage(`"${typed}" is no name.`)
  if (typed.replace(/^\*\./, '').includes('.')) return typed
  const zones = listOf(await api.GET('/api/zones/available'), 'zone').map(({ zone }) => zone)
  if (zones.length === 1) return `${typed}.${zones[0]}`
  const meant = zones.map((zone) => `${typed}.${zone}`).join(' or ')
  throw usage(
    meant === ''
      ? `${typed} is not a whole name, and no zone is on offer.`
      : `${typed} could be several names. Give the whole one: ${meant}.`,
  )
}
