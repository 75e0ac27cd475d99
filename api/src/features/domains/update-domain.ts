/**
 * Changes a domain. New addresses alone go to the coalescer, which decides and stores; this module turns its verdicts
 * into responses. `change-settings.ts` makes all other changes.
 */
import type { DomainChange } from '@homing/openapi'
import { Refusal } from '../../rules/errors.ts'
import { type Reach, recordTypesOf, requireWithin } from '../../rules/key-scope.ts'
import {
  type Actor,
  type AddressChange,
  Overloaded,
  UpdateNotStored,
  type Verdict,
} from '../../feed/address-change.ts'
import type { AddressCoalescer } from '../../feed/coalescer.ts'
import { requireServedTypes } from '../../feed/served-types.ts'
import type { OwnedDomain } from '../../models/domain.ts'
import { expectedVersion } from '../../plugins/if-match.ts'
import type { Services } from '../../compose.ts'
import { readAddresses } from './address-input.ts'
import { changeRefusal } from './change-refusals.ts'
import { changeSettings, readSettings } from './change-settings.ts'
import { type DomainKey, findDomain } from './find-domain.ts'

const RETRY_AFTER_SECONDS = 5

/** The coalescer's verdict. If the store is unavailable or the queue is full, the caller may retry. */
async function submitted(coalescer: AddressCoalescer, change: AddressChange): Promise<Verdict> {
  try {
    return await coalescer.submit(change)
  } catch (error) {
    if (!(error instanceof Overloaded || error instanceof UpdateNotStored)) throw error
    const message = 'The change could not be stored. Please try again shortly.'
    const refusal = new Refusal('unavailable', message, { retryAfterSeconds: RETRY_AFTER_SECONDS })
    refusal.cause = error
    throw refusal
  }
}

/**
 * Sets, withdraws or keeps the address of each family, and changes pause, note and tags. Returns after the change is
 * durable.
 *
 * @param ifMatch the header If-Match, undefined when there is no such header
 * @throws Refusal `not-found`, `validation-failed`, `address-not-allowed`, `withheld`, `conflict`,
 * `version-mismatch`, `rate-limited`, `unavailable`, `key-scope`
 */
export async function updateDomain(
  services: Services,
  reach: Reach,
  key: DomainKey,
  change: DomainChange,
  ifMatch: string | undefined,
  actor: Actor,
): Promise<OwnedDomain> {
  const { knex, coalescer, callLog, config, now } = services
  const settings = readSettings(change)
  const domain = await findDomain(knex, reach, key)
  const addresses = readAddresses(change, domain.rrtype, config.addressPolicy)
  requireWithin(reach, { recordTypes: recordTypesOf(addresses) })
  if (settings !== undefined) {
    if (settings.paused !== undefined) await requireServedTypes(knex, reach, domain.id)
    await changeSettings(services, domain, { ...addresses, ...settings }, ifMatch, actor)
    return findDomain(knex, reach, { id: domain.id })
  }
  const verdict = await submitted(coalescer, {
    domainId: domain.id,
    userId: reach.userId,
    ipv4: addresses.ipv4,
    ipv6: addresses.ipv6,
    expectedVersion: expectedVersion(ifMatch, domain.version),
    isThrottled: config.rateLimits,
    actor,
  })
  if (verdict.kind !== 'changed' && verdict.kind !== 'unchanged')
    throw changeRefusal(verdict, domain.fqdn)
  // Nothing was written, but the domain got an update.
  if (verdict.kind === 'unchanged') callLog.noteUpdate(domain.fqdn, now())
  return findDomain(knex, reach, { id: domain.id })
}
