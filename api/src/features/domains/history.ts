import type { Actor } from '../../feed/address-change.ts'
import type { RequestSource } from '../../caller/request-source.ts'
import type { Principal } from '../../caller/principal.ts'

/** The caller as the history of a domain records it. */
export function actorOf(principal: Principal, source: RequestSource): Actor {
  const place = { sourceIp: source.ip, client: source.userAgent }
  return principal.kind === 'session'
    ? { kind: 'session', id: principal.account.id, ...place }
    : { kind: 'api_key', id: principal.keyId, ...place }
}
