/** Changes what the owner decides and writes about a domain, with its addresses if they are given too: all or nothing. */
import type { DomainChange } from '@homing/openapi'
import type { Knex } from 'knex'
import { notFound } from '../../rules/errors.ts'
import { parseNote, parseTags } from '../../rules/owner-texts.ts'
import { judge } from '../../feed/address-batch.ts'
import type { Actor } from '../../feed/address-change.ts'
import {
  changeDomain,
  changeWaits,
  type DomainValues,
  holdDomain,
  isPauseTurned,
} from '../../feed/change-domain.ts'
import type { DomainRow } from '../../feed/rows.ts'
import type { OwnedDomain } from '../../models/domain.ts'
import { expectedVersion } from '../../plugins/if-match.ts'
import type { Services } from '../../compose.ts'
import { changeRefusal, pauseRefusal, rowRefusal } from './change-refusals.ts'

type Settings = Pick<DomainValues, 'paused' | 'note' | 'tags'>

/** What a call says about them. Undefined: it stays as it is. */
type GivenSettings = { readonly [Name in keyof Settings]: DomainChange[Name] | undefined }

/**
 * Pause, note and tags of a call's body; undefined without any of them.
 *
 * @throws Refusal `validation-failed`
 */
export function readSettings({ paused, note, tags }: GivenSettings): Settings | undefined {
  if (paused === undefined && note === undefined && tags === undefined) return undefined
  return {
    paused,
    note: note === undefined ? undefined : parseNote(note),
    tags: tags === undefined ? undefined : parseTags(tags),
  }
}

/** A change, and who makes it. */
export interface WantedChange {
  readonly values: DomainValues
  readonly actor: Actor
  /** The header If-Match; undefined without one. */
  readonly ifMatch: string | undefined
  readonly isThrottled: boolean
}

/**
 * The values of a change that a held domain accepts, without addresses that it already has.
 *
 * @throws Refusal `conflict`, `version-mismatch`, `withheld`, `rate-limited`
 */
export async function acceptedValues(
  trx: Knex.Transaction,
  base: DomainRow,
  { values, actor, ifMatch, isThrottled }: WantedChange,
): Promise<DomainValues> {
  const { fqdn } = base
  const refusal = rowRefusal(base, expectedVersion(ifMatch, base.version))
  if (refusal !== undefined) throw refusal
  const { ipv4, ipv6 } = values
  let isMoved = false
  if (ipv4 !== undefined || ipv6 !== undefined) {
    const change = { domainId: base.id, userId: base.user_id, ipv4, ipv6, isThrottled, actor }
    const [verdict] = await judge(trx, [change])
    if (verdict === undefined) throw new Error('each change has one verdict')
    isMoved = verdict.kind === 'change'
    if (verdict.kind !== 'change' && verdict.kind !== 'unchanged' && verdict.kind !== 'changed') {
      throw changeRefusal(verdict, fqdn)
    }
  }
  if (isPauseTurned(base, values)) {
    const waits = isThrottled && !isMoved ? await changeWaits(trx, [base.id]) : undefined
    const refused = pauseRefusal(base, waits?.get(base.id) ?? 0)
    if (refused !== undefined) throw refused
  }
  return isMoved ? values : { ...values, ipv4: undefined, ipv6: undefined }
}

/**
 * Changes the domain in one transaction.
 *
 * @throws Refusal as `acceptedValues`, and `not-found`
 */
export async function changeSettings(
  { knex, config, callLog, now }: Services,
  domain: OwnedDomain,
  values: DomainValues,
  ifMatch: string | undefined,
  actor: Actor,
): Promise<void> {
  const wanted = { values, actor, ifMatch, isThrottled: config.rateLimits }
  await knex.transaction(async (trx) => {
    const base = await holdDomain(trx, domain.id)
    if (base === undefined) throw notFound('domain')
    await changeDomain(trx, { base, values: await acceptedValues(trx, base, wanted) }, actor)
  })
  // The domain got an update, even if it already had these addresses.
  if (values.ipv4 !== undefined || values.ipv6 !== undefined) callLog.noteUpdate(domain.fqdn, now())
}
