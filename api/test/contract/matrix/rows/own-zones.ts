/** Rows of own zones and vanity name servers. */
import type { InheritedRules } from '../inherited-rules.ts'
import type { Row, Rows } from '../row.ts'
import { filtered, nothing } from '../usual-calls.ts'

const zone: Row['call'] = (its) => ({ params: { id: its.zoneId } })
const fresh: Row['call'] = (_, nonce) => ({ body: { domain: `fresh${nonce}.example` } })

/** Claims or proves a domain that is not one of the service. */
const CLAIMS = {
  lock: 'exempt: a claim registers no domain of the service, and a locked name cannot be claimed',
  reservation: 'exempt: it registers no name below a zone of the service',
  stepUp: 'exempt: the owner of the domain must prove it at the registrar',
  notice: 'exempt: a zone that works, breaks or is lost is notified by mail',
  passwordReset: 'exempt: a zone gives no access',
} as const satisfies InheritedRules

/** Ends a zone, or what other zones need. */
const ENDS = {
  ...CLAIMS,
  reservation: 'exempt: names in an own zone belong to the owner of the domain',
  stepUp: 'always',
} as const satisfies InheritedRules

/** Nobody of the matrix has set up vanity name servers. */
const NOT_SET_UP = { elite: 'not-found', administrator: 'not-found' } as const

export const OWN_ZONE_ROWS = {
  listOwnZones: { call: nothing },
  createOwnZone: {
    call: fresh,
    ability: 'vanity_ns',
    inherits: CLAIMS,
  },
  getOwnZone: { call: zone },
  verifyOwnZone: { call: zone, ability: 'vanity_ns', inherits: CLAIMS },
  deleteOwnZone: {
    call: (its) => ({ params: { id: its.zoneId }, body: { confirm: its.zoneName } }),
    inherits: ENDS,
  },
  getVanityStatus: { call: nothing },
  setUpVanity: { call: fresh, ability: 'vanity_ns', inherits: CLAIMS },
  verifyVanity: { call: nothing, ability: 'vanity_ns', refuses: NOT_SET_UP, inherits: CLAIMS },
  removeVanity: {
    call: nothing,
    refuses: { free: 'not-found', pro: 'not-found', 'by cookie': 'not-found', ...NOT_SET_UP },
    inherits: ENDS,
  },
  listAllOwnZones: { call: filtered((its) => ({ user_id: its.userId })) },
} as const satisfies Partial<Rows>
