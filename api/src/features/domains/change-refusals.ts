/** What callers are told when a domain does not accept a change. */
import { notFound, Refusal } from '../../rules/errors.ts'
import type { Verdict, WithheldReason } from '../../feed/address-change.ts'
import type { DomainRow } from '../../feed/rows.ts'

const REASONS: Readonly<Record<WithheldReason, string>> = {
  locked: 'an administrator locked it',
  over_limit: 'it is over the limit of your plan',
  owner_blocked: 'your account is disabled',
}

export type RefusedVerdict = Exclude<Verdict, { kind: 'changed' | 'unchanged' }>

/** The refusal of a change of the domain with this name. */
export function changeRefusal(verdict: RefusedVerdict, fqdn: string): Refusal {
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

/** Why a locked row accepts no change: it is a wildcard, or has another version than the caller expects. */
export function rowRefusal(
  { base_id: baseId, fqdn, version }: DomainRow,
  expectedVersion: number | undefined,
): Refusal | undefined {
  if (baseId !== null) return changeRefusal({ kind: 'wildcard', baseId }, fqdn)
  if (expectedVersion === undefined || expectedVersion === version) return undefined
  return changeRefusal({ kind: 'version-mismatch', version }, fqdn)
}

/**
 * Why a domain cannot be paused or resumed.
 *
 * @param retryAfterSeconds until the rate limit of the domain allows a change; 0: it allows one now
 */
export function pauseRefusal(
  { locked, fqdn }: DomainRow,
  retryAfterSeconds: number,
): Refusal | undefined {
  if (locked) return changeRefusal({ kind: 'withheld', reasons: ['locked'] }, fqdn)
  if (retryAfterSeconds === 0) return undefined
  return changeRefusal({ kind: 'throttled', retryAfterSeconds }, fqdn)
}
