/** Domains as users type them. */
import type { ApiClient } from './client.ts'
import { listOf } from './api.ts'
import { usage } from './failure.ts'

/** An empty text or a dot segment, which would change the path of a URL. */
const NO_NAME = /^\.{0,2}$/

/**
 * The full domain. A text without a dot is the first label, if only one zone is available;
 * `*.home` is the wildcard of such a label.
 *
 * @throws CommandFailure that lists the full domains when there are several zones
 */
export async function wholeName(api: ApiClient, typed: string): Promise<string> {
  if (NO_NAME.test(typed)) throw usage(`"${typed}" is not a domain.`)
  if (typed.replace(/^\*\./, '').includes('.')) return typed
  const zones = listOf(await api.GET('/api/zones/available'), 'zone').map(({ zone }) => zone)
  if (zones.length === 1) return `${typed}.${zones[0]}`
  const meant = zones.map((zone) => `${typed}.${zone}`).join(' or ')
  throw usage(
    meant === ''
      ? `${typed} is not a full domain, and no zone is available.`
      : `There are several zones. Give the full domain: ${meant}.`,
  )
}
