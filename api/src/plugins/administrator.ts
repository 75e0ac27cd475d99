import type { Actor } from '../feed/address-change.ts'
import type { SessionPrincipal } from '../caller/principal.ts'
import type { Origin } from '../caller/request-source.ts'

/** The administrator who calls, as the history of names knows them. */
export function administratorActor({ account }: SessionPrincipal, origin: Origin): Actor {
  return {
    kind: 'administrator',
    id: account.id,
    sourceIp: origin.ip,
    client: origin.userAgent,
  }
}
