import type { Actor } from '../feed/address-change.ts'
import type { SessionPrincipal } from '../caller/principal.ts'
import type { RequestSource } from '../caller/request-source.ts'

/** The calling administrator, as the actor of an entry in a domain's history. */
export function administratorActor({ account }: SessionPrincipal, source: RequestSource): Actor {
  return {
    kind: 'administrator',
    id: account.id,
    sourceIp: source.ip,
    client: source.userAgent,
  }
}
