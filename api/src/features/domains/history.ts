import type { Actor } from '../../feed/address-change.ts'
import type { Origin } from '../../plugins/contract.ts'
import type { Principal } from '../../caller/principal.ts'

/** The caller as a name's history knows them. */
export function actorOf(principal: Principal, origin: Origin): Actor {
  const source = { sourceIp: origin.ip, client: origin.userAgent }
  return principal.kind === 'session'
    ? { kind: 'session', id: principal.account.id, ...source }
    : { kind: 'api_key', id: principal.keyId, ...source }
}
