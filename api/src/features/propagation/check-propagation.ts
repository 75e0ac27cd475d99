/** Asks the name servers of a domain's zone what they answer for it. */
import type { NameServerCheck, Propagation } from '@homing/openapi'
import { requireAllowance } from '../../limits/require-allowance.ts'
import { findOwnedDomain, type OwnedDomain } from '../../models/domain.ts'
import { isCurrent } from '../../propagation/checks.ts'
import { type CheckedServer, PropagationChecksBusy } from '../../propagation/types.ts'
import { summaryOf } from '../../propagation/words.ts'
import { notFound, Refusal } from '../../rules/errors.ts'
import type { Reach } from '../../rules/key-scope.ts'
import type { Services } from '../../compose.ts'
import { readExpected } from './read-expected.ts'

/** Seconds until a check probably finds a place. */
const RETRY_AFTER_SECONDS = 10

const serverBody = (server: CheckedServer): NameServerCheck => ({
  server: server.hostname,
  address: server.address,
  state: server.state,
  serial: server.serial,
  addresses: [...server.addresses],
  has_published_addresses: server.hasPublished,
  round_trip_ms: server.roundTripMs,
  message: server.message,
})

async function check(services: Services, domain: OwnedDomain): Promise<Propagation> {
  const { knex, config, propagation, now } = services
  const begun = performance.now()
  const target = await readExpected(knex, domain, config.nameservers)
  if (target === undefined) throw notFound('domain')
  const { expected, servers, isServed } = target
  const checked = isServed ? await propagation.check(servers, expected) : []
  const { zone, fqdn, serial, addresses } = expected
  return {
    fqdn,
    zone,
    is_current: isCurrent(checked),
    published_serial: isServed ? serial : null,
    published_addresses: isServed ? [...addresses] : [],
    servers: checked.map(serverBody),
    message: isServed
      ? summaryOf(checked, expected)
      : `DNS does not serve the zone ${zone} at the moment, so no name server was asked.`,
    checked_at: now().toISOString(),
    duration_ms: Math.round(performance.now() - begun),
  }
}

/** The checks that run in this process: a second window does not double a check. */
const running = new WeakMap<Services['propagation'], Map<string, Promise<Propagation>>>()

/** Joins the running check of this state of the domain, or begins one, which counts for the limit. */
async function shared(services: Services, domain: OwnedDomain): Promise<Propagation> {
  const checks = running.get(services.propagation) ?? new Map<string, Promise<Propagation>>()
  running.set(services.propagation, checks)
  // A check that began before a change would say how far the former state is.
  const key = `${domain.id} ${domain.version}`
  const begun = checks.get(key)
  if (begun !== undefined) return begun
  const own = (async () => {
    await requireAllowance(services, 'propagation-account', domain.user_id)
    return check(services, domain)
  })()
  checks.set(key, own)
  try {
    return await own
  } finally {
    checks.delete(key)
  }
}

/**
 * What every name server of the zone answers for a domain of the caller.
 *
 * @throws Refusal `not-found`, `rate-limited`, `unavailable` when too many checks wait
 */
export async function checkPropagation(
  services: Services,
  reach: Reach,
  id: string,
): Promise<Propagation> {
  const domain = await findOwnedDomain(services.knex, reach, { id })
  if (domain === undefined) throw notFound('domain')
  try {
    return await shared(services, domain)
  } catch (error) {
    if (!(error instanceof PropagationChecksBusy)) throw error
    throw new Refusal('unavailable', error.message, { retryAfterSeconds: RETRY_AFTER_SECONDS })
  }
}
