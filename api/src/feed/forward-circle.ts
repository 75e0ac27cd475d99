/**
 * Domains that are forwarded to each other in a circle, by what is stored. A check of a target meets such a circle only if it is short
 * and all its forwards are in force; a paused or disabled forward would close it later.
 */
import type { Knex } from 'knex'
import { hostOf, targetRefused } from '../rules/forward-target.ts'
import { domainAnswering } from './forward-at-host.ts'

/** Browsers give up after twenty redirects (Fetch Standard §4.4), and each domain of the chain takes a query. */
const CHAIN_LIMIT = 20

/** A target, and the domain that is, or would be, forwarded to it. */
export interface CheckedTarget {
  readonly target: URL
  readonly fqdn: string
}

/** Why a target leads back, for its user. @param at the domain that is reached twice */
export function circleMessage(at: string, fqdn: string): string {
  return at === fqdn
    ? `The target leads back to ${fqdn}. While ${fqdn} is forwarded, its name leads to the forwarding server and not to your own. Use the address or another name of your server.`
    : `The target leads to ${at}, which is forwarded in a circle. Use another target.`
}

/** Why the forwards behind a target do not end; undefined: they do. */
export async function circleFrom(
  db: Knex,
  { target, fqdn }: CheckedTarget,
): Promise<string | undefined> {
  const passed = new Set([fqdn])
  let url: URL | undefined = target
  while (url !== undefined) {
    const domain = await domainAnswering(db, hostOf(url))
    if (domain === undefined) return undefined
    if (passed.has(domain.fqdn)) return circleMessage(domain.fqdn, fqdn)
    if (passed.size > CHAIN_LIMIT) {
      return `The target leads through more than ${CHAIN_LIMIT} forwarded domains. Use the URL at the end of the chain.`
    }
    passed.add(domain.fqdn)
    url = domain.forward?.target
  }
  return undefined
}

/**
 * Refuses a forward that was just written and closes a circle. Forwards of other accounts can have been written since the
 * target was checked. Writing a forward that is in force locks the serial of the forward feed, so of two transactions that
 * close a circle together, the second one sees the first.
 *
 * @throws Refusal `target-not-allowed`
 */
export async function requireNoCircle(
  trx: Knex.Transaction,
  checked: CheckedTarget,
): Promise<void> {
  const message = await circleFrom(trx, checked)
  if (message !== undefined) throw targetRefused(message)
}
