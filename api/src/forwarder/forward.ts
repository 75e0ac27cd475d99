/** One web forward, as the forward feed publishes it, checked and in the form that takes the least memory. */
import { isTargetHost } from '../rules/target-host.ts'

export type RedirectStatus = 301 | 302 | 307 | 308

const STATUSES: ReadonlySet<unknown> = new Set<RedirectStatus>([301, 302, 307, 308])

export interface Forward {
  /** Counts hits; unique among all forwards. */
  readonly id: number
  readonly isStealth: boolean
  /** Status of the redirect; without a meaning for stealth forwards. */
  readonly status: RedirectStatus
  /** An absolute http or https URL, as the URL parser writes it. */
  readonly target: string
  /** Whether the path of the request is appended to the target. */
  readonly path: boolean
  /** Whether the query of the request is appended to the target. */
  readonly query: boolean
  /** The texts of the stealth page. */
  readonly title: string | null
  readonly description: string | null
  readonly keywords: string | null
  /** First use of this target, in seconds since 1970. A number of milliseconds would take 16 more bytes. */
  readonly sinceSeconds: number
}

/** A row of the feed that cannot be served. */
export class InvalidForward extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'InvalidForward'
  }
}

/**
 * Checks a forward of the feed. `null` is a name that is not forwarded itself and stops the wildcard
 * above it.
 *
 * @throws InvalidForward
 */
export function readForward(value: unknown): Forward | null {
  if (value === null) return null
  if (typeof value !== 'object') throw new InvalidForward('the forward is not an object')
  const fields: Partial<Record<string, unknown>> = { ...value }
  const { id, type, status, since } = fields
  if (typeof id !== 'string' || !/^\d{1,15}$/.test(id))
    throw new InvalidForward('its id is invalid')
  if (type !== 'redirect' && type !== 'stealth') throw new InvalidForward('its type is unknown')
  // The status of a stealth forward is not used.
  const isStatus = STATUSES.has(status)
  if (!isStatus && type === 'redirect') throw new InvalidForward('its status is not a redirect')
  const sinceMs = typeof since === 'string' ? Date.parse(since) : Number.NaN
  return {
    id: Number(id),
    isStealth: type === 'stealth',
    status: isStatus ? (status as RedirectStatus) : 302,
    target: targetOf(fields['target']),
    path: fields['path'] === true,
    query: fields['query'] === true,
    title: textOf(fields['title']),
    description: textOf(fields['description']),
    keywords: textOf(fields['keywords']),
    sinceSeconds: Number.isNaN(sinceMs) ? 0 : Math.floor(sinceMs / 1_000),
  }
}

/** A forward in a snapshot: the fields of `Forward` in order. Names of fields would be half of the file. */
export type ForwardRow = readonly [
  id: number,
  isStealth: boolean,
  status: RedirectStatus,
  target: string,
  path: boolean,
  query: boolean,
  title: string | null,
  description: string | null,
  keywords: string | null,
  sinceSeconds: number,
]

export function rowOf(forward: Forward): ForwardRow {
  const { id, isStealth, status, target, path, query, title, description, keywords } = forward
  const { sinceSeconds } = forward
  return [id, isStealth, status, target, path, query, title, description, keywords, sinceSeconds]
}

/** The forward of a row, which was checked when it came from the feed. */
export function forwardOf(row: ForwardRow): Forward {
  const [id, isStealth, status, target, path, query, title, description, keywords, since] = row
  const texts = { title, description, keywords }
  return { id, isStealth, status, target, path, query, ...texts, sinceSeconds: since }
}

function targetOf(value: unknown): string {
  const url = typeof value === 'string' ? URL.parse(value) : null
  if (url === null) throw new InvalidForward('its target is not a URL')
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new InvalidForward('its target is neither http nor https')
  }
  if (url.username !== '' || url.password !== '') {
    throw new InvalidForward('its target contains credentials')
  }
  if (!isTargetHost(url.hostname)) throw new InvalidForward('the host of its target is invalid')
  return url.href
}

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null
