/**
 * Creates and changes web forwards.
 *
 * The target is examined before the transaction, because that can take seconds. The transaction then checks again what can
 * have changed meanwhile: the lock of the domain, the version of the forward, and the stealth flags of the plan.
 */
import type { NewWebForward, WebForwardChange } from '@homing/openapi'
import type { Actor } from '../../feed/address-change.ts'
import { stealthFlags } from '../../feed/forward-flags.ts'
import type { ForwardSettings } from '../../feed/forward-rows.ts'
import { changeForward, type ForwardUndo, startForward } from '../../feed/forwards.ts'
import type { Knex } from 'knex'
import { type Principal, reachOf } from '../../caller/principal.ts'
import type { Services } from '../../compose.ts'
import type { ShownForward } from '../../models/shown-forward.ts'
import type { WebForwardRow } from '../../models/web-forward.ts'
import { expectedVersion } from '../../plugins/if-match.ts'
import { forwardDisabled, invalid, Refusal } from '../../rules/errors.ts'
import {
  fallbackAfterCheck,
  type FlagUse,
  type ForwardOptions,
  optionsAfter,
  requireFlag,
  usesStealthFlag,
} from '../../rules/forward-settings.ts'
import type { Reach } from '../../rules/key-scope.ts'
import { requireAbility } from '../../rules/plans.ts'
import { allowedTarget, examined, requireOutward, requireStillUnblocked } from './allowed-target.ts'
import type { Examined } from './check-target.ts'
import { findForward, forwardableDomain, requireForwardable, WEB_FORWARDS } from './find-forward.ts'
import { requireNoCircle } from '../../feed/forward-circle.ts'
import { heldDomain, heldForward } from './held-forward.ts'

/** What a saved forward has to say. */
export interface Saved {
  readonly forward: ShownForward
  readonly warning: string | undefined
}

const FALLBACK_WARNINGS: Readonly<Record<'frames-refused' | 'mixed-content' | 'plan', string>> = {
  'frames-refused':
    'The target does not allow other sites to show it in a frame. Visitors are redirected instead.',
  'mixed-content':
    'Browsers do not show an http target in a frame of an https page. Visitors are redirected instead.',
  plan: 'Your plan has no stealth flag left for this forward. Visitors are redirected instead.',
}

/** What the caller should know about a saved forward. */
function warningOf(forward: ShownForward, check: Examined | undefined): string | undefined {
  const sentences: string[] = []
  if (check !== undefined && check.result.finding !== 'reachable') {
    sentences.push(check.result.message)
  }
  if (forward.fallback !== null) sentences.push(FALLBACK_WARNINGS[forward.fallback])
  return sentences.length === 0 ? undefined : sentences.join(' ')
}

/** What a check says about a stored forward. @param former the fallback that remains if the check could not find out */
function findingsOf(
  { result, fallback }: Examined,
  { forwarding_type }: ForwardOptions,
  former: ForwardSettings['fallback'],
): Pick<ForwardSettings, 'fallback' | 'checked_at' | 'check_result'> {
  return {
    fallback: forwarding_type === 'stealth' ? fallbackAfterCheck(former, fallback) : null,
    checked_at: new Date(result.checked_at),
    check_result: result,
  }
}

/**
 * Requires a flag of the plan for a forward that is about to be written.
 *
 * @param held the forward, locked, as it is now; undefined: it is new
 * @throws Refusal `stealth-limit`
 */
async function requireFreeFlag(
  trx: Knex.Transaction,
  { userId }: Reach,
  held: FlagUse | undefined,
  wanted: FlagUse,
): Promise<void> {
  if (!usesStealthFlag(wanted)) return
  const { used, limit } = await stealthFlags(trx, userId)
  const isItsOwn = held !== undefined && usesStealthFlag(held)
  requireFlag(wanted, { limit, usedByOthers: used - (isItsOwn ? 1 : 0) })
}

/**
 * Starts the web forward of a domain.
 *
 * @param undo the event that this undoes
 * @throws Refusal `plan-required`, `not-found`, `validation-failed`, `domain-locked`, `target-not-allowed`,
 * `stealth-limit`, `conflict`, `rate-limited`, `key-scope`, `account-disabled`
 */
export async function createForward(
  services: Services,
  principal: Principal,
  input: NewWebForward,
  actor: Actor,
  undo?: ForwardUndo,
): Promise<Saved> {
  const { knex } = services
  requireAbility(principal.account, 'web_forward', WEB_FORWARDS)
  const reach = reachOf(principal)
  const { id, fqdn } = await forwardableDomain(knex, reach, input.domain_id)
  const options = optionsAfter(input)
  const target = await allowedTarget(services, input.target_url)
  const check = await examined(services, reach.userId, { target, fqdn })
  requireOutward(check)
  const settings = { ...options, target_url: target.href, ...findingsOf(check, options, null) }
  const forward = await knex.transaction(async (trx) => {
    const { base, forward: existing } = await heldDomain(trx, reach, id, 'save')
    await undo?.confirm(trx, base)
    if (existing !== undefined) {
      throw new Refusal('conflict', `${fqdn} already has a web forward. Change it instead.`)
    }
    await requireFreeFlag(trx, reach, undefined, settings)
    await requireStillUnblocked(trx, check.urls)
    const started = await startForward(trx, base, settings, actor, undo?.eventId)
    await requireNoCircle(trx, { target, fqdn })
    return { ...started, fqdn, hits_7d: 0 }
  })
  return { forward, warning: warningOf(forward, check) }
}

/** A change of a forward, and who makes it. */
export interface ForwardChange {
  readonly id: string
  readonly input: WebForwardChange
  /** The header If-Match; undefined without one. */
  readonly ifMatch: string | undefined
}

/** @throws Refusal `validation-failed`, the same for every other domain */
function requireSameDomain(forward: ShownForward, { domain_id }: WebForwardChange): void {
  if (domain_id === undefined || domain_id === forward.domain_id) return
  const message =
    'The domain of a web forward cannot change. Delete the forward and create one for the other domain.'
  throw invalid({ field: 'domain_id', message })
}

/** What a change says about the target. */
interface Retargeting {
  /** Undefined: the target stays. */
  readonly target: URL | undefined
  /** Undefined: the target was not examined again. */
  readonly check: Examined | undefined
  /** What must not be blocked: the target, if it is new or its forward is resumed, and what was examined. */
  readonly urls: readonly URL[]
}

/** Whether a stealth page is wanted for a target that was shown in no frame so far: its owner may have allowed frames since. */
const isNewlyFramed = (former: ShownForward, { forwarding_type }: WebForwardChange) =>
  forwarding_type === 'stealth' &&
  (former.forwarding_type !== 'stealth' || former.fallback === 'frames-refused')

/** Examines a new target, and a former one that is to be shown in a frame. @throws Refusal `target-not-allowed` */
async function retargetingOf(
  services: Services,
  former: ShownForward,
  input: WebForwardChange,
): Promise<Retargeting> {
  const { user_id, fqdn, target_url, is_active } = former
  // An administrator may have blocked the target of a paused forward.
  const isResumed = input.is_active === true && !is_active
  const wanted = input.target_url ?? (isResumed ? target_url : undefined)
  const given = wanted === undefined ? undefined : await allowedTarget(services, wanted)
  const target = given?.href === target_url ? undefined : given
  const urls = given === undefined ? [] : [given]
  if (target === undefined && !isNewlyFramed(former, input)) {
    return { target, check: undefined, urls }
  }
  const check = await examined(services, user_id, { target: target ?? new URL(target_url), fqdn })
  requireOutward(check)
  return { target, check, urls: [...urls, ...check.urls] }
}

/** The settings to write to a locked forward. What the plan decided about its flag stays. */
function changedSettings(
  held: WebForwardRow,
  input: WebForwardChange,
  { target, check }: Retargeting,
): Partial<ForwardSettings> & ForwardOptions {
  const options = optionsAfter(input, held)
  // What was found about the former target does not apply to another one.
  const kept = target === undefined || held.fallback === 'plan' ? held.fallback : null
  return {
    ...options,
    ...(target === undefined ? {} : { target_url: target.href }),
    ...(check === undefined ? {} : findingsOf(check, options, kept)),
  }
}

/**
 * Changes a web forward.
 *
 * @param undo the event that this undoes
 * @throws Refusal as `createForward` except `conflict`, and `version-mismatch`, `forward-disabled`
 */
export async function updateForward(
  services: Services,
  principal: Principal,
  { id, input, ifMatch }: ForwardChange,
  actor: Actor,
  undo?: ForwardUndo,
): Promise<Saved> {
  const { knex } = services
  requireAbility(principal.account, 'web_forward', WEB_FORWARDS)
  const reach = reachOf(principal)
  const former = await findForward(knex, reach, id)
  requireForwardable(reach, former)
  requireSameDomain(former, input)
  if (former.disabled_reason !== null) throw forwardDisabled(former.fqdn, former.disabled_reason)
  const retargeting = await retargetingOf(services, former, input)
  const forward = await knex.transaction(async (trx) => {
    const { base, forward: held } = await heldForward(trx, reach, former, 'save')
    await undo?.confirm(trx, base)
    const expected = expectedVersion(ifMatch, held.version)
    // The check was about the target that was read first.
    const isStale = retargeting.check !== undefined && held.target_url !== former.target_url
    if ((expected !== undefined && expected !== held.version) || isStale) {
      throw changedMeanwhile(base.fqdn, held.version)
    }
    const settings = changedSettings(held, input, retargeting)
    await requireFreeFlag(trx, reach, held, { fallback: held.fallback, ...settings })
    await requireStillUnblocked(trx, retargeting.urls)
    const changed = await changeForward(trx, base, held, settings, actor, undo?.eventId)
    if (retargeting.target !== undefined || (changed.is_active && !held.is_active)) {
      await requireNoCircle(trx, { target: new URL(changed.target_url), fqdn: base.fqdn })
    }
    return { ...changed, fqdn: base.fqdn, hits_7d: former.hits_7d }
  })
  return { forward, warning: warningOf(forward, retargeting.check) }
}

const changedMeanwhile = (fqdn: string, version: number) =>
  new Refusal(
    'version-mismatch',
    `The web forward of ${fqdn} was changed in the meantime and has version ${version}. Read it again, then repeat your change.`,
  )
