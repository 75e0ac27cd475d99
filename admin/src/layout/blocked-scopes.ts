/** How much of a target of web forwards a block covers. */
import type { BlockedTarget } from '../api/client.ts'

type Scope = BlockedTarget['scope']

/** What each scope covers. */
export const SCOPES = {
  host: 'This host',
  subdomains: 'This host and its subdomains',
  path: 'This path and the paths below it',
} as const satisfies Record<Scope, string>

export const SCOPE_CHOICES: readonly (readonly [Scope, string])[] = [
  ['host', SCOPES.host],
  ['subdomains', SCOPES.subdomains],
  ['path', SCOPES.path],
]
