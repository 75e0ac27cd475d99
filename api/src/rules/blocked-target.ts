/**
 * Targets that administrators block for all web forwards: a host, a host with its subdomains, or the part of a host below
 * a path.
 *
 * A block applies to http and https, to every port and to every query: the owner of a host can change these at will.
 */
import { isIP } from 'node:net'
import type { BlockedTargetScope } from '@homing/openapi/vocabulary'
import { withWebScheme } from '@homing/openapi/web-forward'
import { invalid } from './errors.ts'
import { hostOf, normalPathOf } from './forward-target.ts'
import { namesAtOrAbove } from './names.ts'
import { isTargetHost } from './target-host.ts'

/** What is blocked, in stored form. */
export interface BlockedPlace {
  readonly host: string
  readonly scope: BlockedTargetScope
  /** Empty unless the scope is `path`. */
  readonly path: string
}

/** Longest path in characters. Longer ones do not fit into an index. */
const PATH_LIMIT = 1_000

const fault = (message: string) => invalid({ field: 'target', message })

function parsedUrl(text: string): URL {
  const url = URL.parse(withWebScheme(text.trim()) ?? '')
  if (url !== null && isTargetHost(url.hostname.replace(/\.$/, ''))) return url
  throw fault(
    'target is not a host or an http or https URL. Expected a value such as evil.example or https://evil.example/login.',
  )
}

/**
 * Parses what an administrator wants to block.
 *
 * @param text a URL or a host, in any case, as U-labels or A-labels. Scheme, port, query and fragment do not matter
 * @throws Refusal `validation-failed`
 */
export function parseBlockedPlace(text: string, scope: BlockedTargetScope): BlockedPlace {
  const url = parsedUrl(text)
  const host = hostOf(url)
  if (scope === 'subdomains' && isIP(host) !== 0) {
    throw fault(`${host} is an address and has no subdomains. Use the scope host.`)
  }
  if (scope === 'subdomains' && !host.includes('.')) {
    throw fault(`${host} is a top-level domain. Block the hosts below it one by one.`)
  }
  if (scope !== 'path') return { host, scope, path: '' }
  const path = normalPathOf(url)
  if (path.length > PATH_LIMIT) {
    throw fault(`The path of target is too long. Use at most its first ${PATH_LIMIT} characters.`)
  }
  if (path !== '') return { host, scope, path }
  throw fault('target has no path. Add the path that is to be blocked, or use the scope host.')
}

/** What is blocked, for administrators: `evil.example/login`. */
export function scopeInWords({ host, scope, path }: BlockedPlace): string {
  return scope === 'subdomains' ? `${host} and its subdomains` : host + path
}

/** The hosts at which a block can cover a URL: its own and those above it. */
export const hostsCovering = (url: URL): string[] => namesAtOrAbove(hostOf(url))

/** Whether a block covers a URL. A path covers itself and the paths below it. */
export function covers({ host, scope, path }: BlockedPlace, url: URL): boolean {
  const own = hostOf(url)
  if (scope === 'subdomains' && own.endsWith(`.${host}`)) return true
  if (own !== host) return false
  return scope !== 'path' || `${normalPathOf(url)}/`.startsWith(`${path}/`)
}
