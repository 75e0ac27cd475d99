import type { Actor } from '../feed/address-change.ts'
import type { RequestSource } from '../caller/request-source.ts'
import { keyActor, type Principal } from '../caller/principal.ts'

/** The caller as the history of a domain records it. */
export function actorOf(principal: Principal, source: RequestSource): Actor {
  const place = { sourceIp: source.ip, client: source.userAgent }
  if (principal.kind === 'session') return { kind: 'session', id: principal.account.id, ...place }
  return { ...keyActor(principal), ...place }
}
