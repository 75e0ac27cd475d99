/** Changes the addresses of a domain. The coalescer decides and stores; this module turns its verdicts into responses. */
import type { DomainChange } from '@homing/openapi'
import { notFound, Refusal } from '../../rules/errors.ts'
import { type Reach, recordTypesOf, requireWithin } from '../../rules/key-scope.ts'
import {
  type Actor,
  type AddressChange,
  Overloaded,
  UpdateNotStored,
  type Verdict,
  type WithheldReason,
} from '../../feed/address-change.ts'
import type { AddressCoalescer } from '../../feed/coalescer.ts'
import type { OwnedDomain } from '../../models/domain.ts'
import { expectedVersion } from '../../plugins/if-match.ts'
import type { Services } from '../../compose.ts'
import { readAddresses } from './address-input.ts'
import { type DomainKey, findDomain } from './find-domain.ts'

const RETRY_AFTER_SECONDS = 5

const REASONS: Readonly<Record<WithheldReason, string>> = {
  locked: 'an administrator locked it',
  over_limit: 'it is over the limit of your plan',
  owner_blocked: 'your account is disabled',
}

type Refused = Exclude<Verdict, { kind: 'changed' | 'unchanged' }>

function refusalOf(verdict: Refused, { fqdn }: OwnedDomain): Refusal {
  if (verdict.kind === 'gone') return notFound('domain')
  if (verdict.kind === 'withheld') {
    const reasons = verdict.reasons.map((reason) => REASONS[reason]).join(', and ')
    return new Refusal('withheld', `${fqdn} is not served: ${reasons}.`)
  }
  if (verdict.kind === 'wildcard') {
    const base = fqdn.slice(2)
    return new Refusal(
      'conflict',
      `${fqdn} is a wildcard and follows the addresses of ${base}. Change ${base} instead.`,
    )
  }
  if (verdict.kind === 'throttled') {
    const { retryAfterSeconds } = verdict
    const message = `${fqdn} was changed too often. Please try again in ${retryAfterSeconds} s.`
    return new Refusal('rate-limited', message, { retryAfterSeconds })
  }
  return new Refusal(
    'version-mismatch',
    `${fqdn} was changed in the meantime and has version ${verdict.version}. Read it again, then repeat your change.`,
  )
}

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
 * Sets, withdraws or keeps the address of each family, and returns after the change is durable.
 *
 * @param ifMatch the header If-Match, undefined when there is no such header
 * @throws Refusal `not-found`, `validation-failed`, `address-not-allowed`, `withheld`, `conflict`,
 * `version-mismatch`, `rate-limited`, `unavailable`, `key-scope`
 */
export async function updateDomain(
  { knex, coalescer, callLog, config, now }: Services,
  reach: Reach,
  key: DomainKey,
  change: DomainChange,
  ifMatch: string | undefined,
  actor: Actor,
): Promise<OwnedDomain> {
  const domain = await findDomain(knex, reach, key)
  const addresses = readAddresses(change, domain.rrtype, config.addressPolicy)
  requireWithin(reach, { recordTypes: recordTypesOf(addresses) })
  const verdict = await submitted(coalescer, {
    domainId: domain.id,
    userId: reach.userId,
    ipv4: addresses.ipv4,
    ipv6: addresses.ipv6,
    expectedVersion: expectedVersion(ifMatch, domain.version),
    isThrottled: config.rateLimits,
    actor,
  })
  if (verdict.kind !== 'changed' && verdict.kind !== 'unchanged') throw refusalOf(verdict, domain)
  // Nothing was written, but the domain got an update.
  if (verdict.kind === 'unchanged') callLog.noteUpdate(domain.fqdn, now())
  return findDomain(knex, reach, { id: domain.id })
}
