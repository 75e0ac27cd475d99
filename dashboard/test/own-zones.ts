/** A mock of the API's own zones and vanity name servers, in memory. */
import type { components } from '@homing/openapi/client'
import { exampleOf, mock, ok, problem } from './mock.ts'

type Schemas = components['schemas']
export type OwnZone = Schemas['OwnZone']
type Check = Schemas['DelegationCheck']
type Status = Schemas['VanityStatus']

/** An own zone: the contract's example, with changes. */
export const ownZone = (changes: Partial<OwnZone> = {}): OwnZone => ({
  ...exampleOf('getOwnZone'),
  ...changes,
})

const FACTS = ['delegated', 'names', 'glue', 'ipv4', 'ipv6', 'authoritative', 'no-ds'] as const

/** What a check found. @param wrong the facts that are wrong */
export function checkOf(...wrong: readonly (typeof FACTS)[number][]): Check {
  const example = ownZone().last_check
  if (example === null) throw new Error('the contract has an example of a check')
  const facts = FACTS.map((fact) => ({
    fact,
    state: wrong.includes(fact) ? ('wrong' as const) : ('right' as const),
    message: `What was found about ${fact}.`,
    expected: wrong.includes(fact) ? ['ns1.example.com', 'ns2.example.com'] : [],
    found: wrong.includes(fact) ? ['ns1.example.org'] : [],
  }))
  return { ...example, is_right: wrong.length === 0, facts }
}

export const activeZone = (changes: Partial<OwnZone> = {}): OwnZone =>
  ownZone({
    state: 'active',
    proof: 'delegation',
    tasks: [],
    expires_at: null,
    active_at: '2026-05-12T08:40:00.000Z',
    last_check: checkOf(),
    ...changes,
  })

/** The ways to prove a domain that another account claims too. */
export const CONTESTED: readonly Schemas['OwnershipTask'][] = [
  {
    method: 'txt',
    name: '_homing-verify.example.com',
    type: 'TXT',
    values: ['homing-4mtq9zx0'],
    description: 'Create this TXT record where the domain is hosted now.',
  },
  {
    method: 'ns',
    name: 'example.com',
    type: 'NS',
    values: ['homing-4mtq9zx0.verify.example.net.'],
    description: 'Add this third name server at your registrar.',
  },
]

/** The status of vanity name servers whose zone this is. */
export const statusOf = (zone: OwnZone | null, changes: Partial<Status> = {}): Status => {
  const isVerified = zone?.state === 'active' && zone.last_check?.is_right === true
  return {
    ...exampleOf('getVanityStatus'),
    configured: zone !== null,
    verified: isVerified,
    verification_pending: zone !== null && !isVerified,
    ...(zone === null && { nameservers: null }),
    zone,
    ...changes,
  }
}

interface Served {
  readonly zones?: readonly OwnZone[]
  readonly status?: Status
  /** What the next check finds. */
  readonly found?: OwnZone
}

/** Mocks the calls for these zones, on a plan that includes them. @returns the zones in memory, which calls change */
export function serveOwnZones({ zones = [], status = statusOf(null), found }: Served): OwnZone[] {
  const kept = [...zones]
  let shown = status
  const me = exampleOf('getMe')
  const abilities = [...me.limits.abilities, 'vanity_ns' as const]
  mock.handle({
    getMe: () =>
      ok({ ...me, account_type: 'elite', plan: 'elite', limits: { ...me.limits, abilities } }),
    listOwnZones: () => ok([...kept]),
    getVanityStatus: () => ok(shown),
    createOwnZone({ body }) {
      const made = ownZone({
        id: String(90 + kept.length),
        zone: body.domain,
        is_vanity: body.uses_vanity === true,
        last_check: null,
      })
      kept.push(made)
      return ok(made)
    },
    verifyOwnZone({ params }) {
      const at = kept.findIndex(({ id }) => id === params.id)
      const [zone] = kept.slice(at, at + 1)
      if (zone === undefined) return problem('not-found')
      kept[at] = found ?? zone
      return ok(kept[at])
    },
    deleteOwnZone({ params }) {
      const at = kept.findIndex(({ id }) => id === params.id)
      if (at === -1) return problem('not-found')
      kept.splice(at, 1)
      return ok()
    },
    setUpVanity({ body }) {
      shown = statusOf(ownZone({ zone: body.domain, last_check: null }))
      return ok(shown)
    },
    verifyVanity() {
      const zone = found ?? shown.zone
      if (zone === null) return problem('not-found')
      shown = statusOf(zone)
      return ok({
        status: shown.verified ? 'verified' : 'pending',
        message: shown.verified
          ? 'Verification successful! Your vanity nameservers are now active.'
          : 'Verification failed. Please check your glue records.',
        zone,
      })
    },
    removeVanity() {
      shown = statusOf(null)
      return ok()
    },
  })
  return kept
}
