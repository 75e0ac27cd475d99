import type { Actor } from '../feed/address-change.ts'
import type { SessionPrincipal } from '../principal.ts'
import type { Origin } from './origin.ts'

/** The administrator who calls, as the history of names knows them. */
export function administratorActor({ account }: SessionPrincipal, origin: Origin): Actor {
  return {
    kind: 'administrator',
    id: account.id,
    sourceIp: origin.ip,
    client: origin.userAgent,
  }
}
