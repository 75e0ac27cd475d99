/** What callers are told when a domain does not accept a change. */
import { notFound, Refusal } from '../../rules/errors.ts'
import type { Verdict, WithheldReason } from '../../feed/address-change.ts'

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
