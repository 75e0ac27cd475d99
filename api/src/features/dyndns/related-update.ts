/**
 * Updates the domains that follow the updated ones into a new prefix. They get no line in the
 * answer; but if a following domain could not be stored, the answer is not `good`, because the
 * router would not retry.
 */
import type { UpdateHint } from '@homing/openapi'
import type { Knex } from 'knex'
import { scopeHolds } from '../../rules/key-scope.ts'
import type { CallLog } from '../../update-log/call-log.ts'
import type { HostOutcome } from '../../update-protocol/answer.ts'
import type { HostState } from './host-reader.ts'
import {
  carryOut,
  type HostUpdateOptions,
  inPrefix,
  type Order,
  outcomeOrChange,
} from './host-update.ts'
import { findRelatedHosts } from './related-hosts.ts'
import type { RelatedWish } from '../../update-protocol/related-wish.ts'
import type { WantedAddresses } from '../../update-protocol/requested-addresses.ts'

export interface RelatedUpdateOptions extends HostUpdateOptions {
  readonly knex: Knex
  readonly calls: CallLog
  readonly now: () => Date
}

export interface RelatedResult {
  readonly outcomes: readonly HostOutcome[]
  readonly found: readonly UpdateHint[]
}

/** The addresses that a related domain is to get; undefined when the request has nothing for it to follow. */
function wantedOf(
  host: HostState,
  { prefix, named }: RelatedWish,
  { caller }: Order,
): WantedAddresses | undefined {
  const own = named.get(host.fqdn)
  if (own !== undefined || prefix === undefined) return own
  const ipv6 = inPrefix(prefix, host, caller)
  return ipv6 === undefined ? undefined : { ipv6, said: '' }
}

/**
 * Updates the related domains of the domains that were just updated.
 *
 * @param bases the updated domains
 */
export async function updateRelated(
  options: RelatedUpdateOptions,
  bases: readonly string[],
  wish: RelatedWish,
  order: Order,
): Promise<RelatedResult> {
  const named = [...wish.named.keys()]
  const related = await findRelatedHosts(options.knex, order.userId, bases, {
    named,
    isPrefixGiven: wish.prefix !== undefined,
  })
  const { scope } = order
  const hosts = scope ? related.filter(({ fqdn }) => scopeHolds(scope, fqdn)) : related
  const outcomes = await Promise.all(
    hosts
      .filter(({ isWithheld }) => !isWithheld)
      .map(async (host) => {
        const own = { ...order, wanted: wantedOf(host, wish, order) }
        const outcome = await carryOut(options, outcomeOrChange(host, own), own)
        // It is not named in the call, so the log has no call of it.
        if (outcome.code === 'nochg') options.calls.noteUpdate(host.fqdn, options.now())
        return outcome
      }),
  )
  const known = new Set([...bases, ...hosts.map(({ fqdn }) => fqdn)])
  const isMissing = named.some((name) => !known.has(name))
  return { outcomes, found: isMissing ? ['related-name-not-reached'] : [] }
}

/**
 * Combines the outcome of a domain with those of its following domains: changed if one of them changed, retry if one of
 * them must be retried.
 */
export function withRelated(outcome: HostOutcome, related: readonly HostOutcome[]): HostOutcome {
  if (!('said' in outcome)) return outcome
  const again = related.find((each) => 'retryAfterSeconds' in each)
  if (again !== undefined) return again
  return related.some(({ code }) => code === 'good')
    ? { code: 'good', said: outcome.said }
    : outcome
}
