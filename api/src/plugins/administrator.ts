import type { Actor } from '../feed/address-change.ts'
import type { SessionPrincipal } from '../caller/principal.ts'
import type { RequestSource } from '../caller/request-source.ts'

/** The administrator who calls, as the history of names knows them. */
export function administratorActor({ account }: SessionPrincipal, source: RequestSource): Actor {
  return {
    kind: 'administrator',
    id: account.id,
    sourceIp: source.ip,
    client: source.userAgent,
  }
}
