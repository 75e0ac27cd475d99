/**
 * What an account of the route matrix has: one of everything that an account can have.
 *
 * Calls refer to an account's things by `Belongings`, and rows use nothing else. So the same call can be made about the
 * owner's things, about the caller's own, and about things that do not exist. A new kind of thing with an id needs a
 * field here, in `MatrixWorld` and in `MISSING`.
 */
import { type Caller, PASSWORD } from '../../support/api-world.ts'
import { bearer } from '../../support/calls.ts'
import { basic } from '../../support/update-world.ts'

/** The things of an account that a call can name. */
export interface Belongings {
  readonly userId: string
  readonly username: string
  readonly email: string
  /** A domain with both addresses, a wildcard, a web forward, a record, a monitor and an update token. */
  readonly domainId: string
  readonly fqdn: string
  /** The newest event of that domain: a change of its note. */
  readonly eventId: string
  /** A deleted domain that can be restored. */
  readonly deletedId: string
  readonly deletedFqdn: string
  /** A domain with an address, and nothing else. */
  readonly bareId: string
  readonly bareFqdn: string
  /** The web forward of `domainId`. */
  readonly forwardId: string
  /** A maintenance window of `domainId`. */
  readonly windowId: string
  /** An own zone that nobody has proved. */
  readonly zoneId: string
  readonly zoneName: string
  /** A TXT record of `domainId`. */
  readonly recordId: string
  /** A zone of the account that is served. */
  readonly recordZoneId: string
  readonly recordZoneName: string
  /** A TXT record of that zone. */
  readonly zoneRecordId: string
  readonly zoneEventId: string
  readonly keyId: string
  readonly policyId: string
  readonly passkeyId: string
  /** Another session than the one that calls. */
  readonly sessionId: string
  /** A domain that an administrator locked, with an address, a web forward, a monitor and an update token. */
  readonly lockedId: string
  readonly lockedFqdn: string
  /** The web forward of the locked domain. */
  readonly lockedForwardId: string
  /** A maintenance window of the locked domain. */
  readonly lockedWindowId: string
  /** A TXT record of the locked domain. */
  readonly lockedRecordId: string
  /** The lock of its name. */
  readonly lockId: string
  /** A blocked target. */
  readonly blockedTargetId: string
  /** The notice about the locked domain. */
  readonly noticeId: string
}

/** Things that do not exist, in the form of existing ones. */
export const MISSING: Belongings = {
  userId: '699999999991',
  username: 'nobody0',
  email: 'nobody0@mail.test',
  domainId: '699999999992',
  fqdn: 'nobody0-home.homing.test',
  eventId: '699999999989',
  deletedId: '699999999990',
  deletedFqdn: 'nobody0-deleted.homing.test',
  bareId: '699999999993',
  bareFqdn: 'nobody0-bare.homing.test',
  forwardId: '699999999987',
  windowId: '699999999985',
  zoneId: '699999999983',
  zoneName: 'nobody0.example',
  recordId: '699999999979',
  recordZoneId: '699999999978',
  recordZoneName: 'nobody0-records.example',
  zoneRecordId: '699999999977',
  zoneEventId: '699999999949',
  keyId: '699999999994',
  policyId: '699999999995',
  sessionId: '699999999996',
  passkeyId: '699999999997',
  lockedId: '699999999998',
  lockedFqdn: 'nobody0-locked.homing.test',
  lockedForwardId: '699999999988',
  lockedWindowId: '699999999986',
  lockedRecordId: '699999999976',
  lockId: '699999999999',
  blockedTargetId: '699999999984',
  noticeId: 'domains-locked-1',
}

/** The parts of a holder that the others follow from. */
interface HolderParts {
  readonly plan: string
  /** The number of the account, which no other holder has. */
  readonly person: number
  readonly its: Belongings
  /** The token of its session. */
  readonly token: string
  /** An API key without a scope. */
  readonly key: string
  readonly updateToken: string
  /** The token of the locked domain. */
  readonly lockedToken: string
}

/** An account with one of everything. */
export interface Holder extends HolderParts {
  /** The session, as a Bearer token. */
  readonly headers: Caller['headers']
  /** The same session, as a cookie. */
  readonly cookie: string
  /** The account's password, as routers send it. */
  readonly basic: string
  /** Texts that only the owner may read, in any response. */
  readonly markers: readonly string[]
  /** Texts that identify rows of the account. */
  readonly ids: readonly string[]
}

/** The IPv6 address of a holder's domain and of its other session. */
export const addressOf = (person: number) => `2001:db8:77::${person}`

export function holderOf(parts: HolderParts): Holder {
  const { person, its, token, key } = parts
  const prefix = key.slice(0, 10)
  return {
    ...parts,
    headers: bearer(token),
    cookie: `homing_session=${token}`,
    basic: basic(its.username, PASSWORD),
    // The user name is part of most of the names.
    markers: [...Object.values(its), `-${its.username}`, addressOf(person), prefix],
    ids: Object.values(its).filter((value) => /^\d+$/.test(value)),
  }
}
