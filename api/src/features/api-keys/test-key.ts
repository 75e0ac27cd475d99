/** Tests what a key may do, and why, by the same rule that applies when the key is used. */
import type { KeyTest, Operations, ParamsOf, QueryOf } from '@homing/openapi'
import ipaddr from 'ipaddr.js'
import { invalid, notFound } from '../../rules/errors.ts'
import { faultsOf, faultText, type KeyUse } from '../../rules/key-scope.ts'
import { domainNameAsked } from '../../rules/names.ts'
import { planAllows } from '../../rules/plans.ts'
import { findOwnedDomain } from '../../models/domain.ts'
import type { CallerAccount } from '../../caller/principal.ts'
import type { Services } from '../../compose.ts'
import { endOf } from './api-key-row.ts'
import { findApiKey } from './find-key.ts'

type KeyTestQuery = QueryOf<Operations['api-keys']['testApiKey']>

/** @throws Refusal `validation-failed` */
function readUse({ action, domain, record_type, ip }: KeyTestQuery, at: Date): KeyUse {
  const fqdn = domain === undefined ? undefined : domainNameAsked(domain)
  if (domain !== undefined && fqdn === undefined) {
    throw invalid({ field: 'domain', message: `${domain} is not a valid domain name.` })
  }
  if (ip !== undefined && !(ipaddr.IPv4.isValidFourPartDecimal(ip) || ipaddr.IPv6.isValid(ip))) {
    throw invalid({ field: 'ip', message: `${ip} is not an IPv4 or IPv6 address.` })
  }
  return {
    action,
    at,
    ...(fqdn !== undefined && { fqdn }),
    ...(ip !== undefined && { ip }),
    ...(record_type !== undefined && { recordTypes: [record_type] }),
  }
}

/** Why a name cannot be reached or created with any key. */
async function nameFault(
  { knex }: Services,
  userId: string,
  { action, fqdn }: KeyUse,
): Promise<string[]> {
  if (fqdn === undefined || action === 'create') return []
  const owned = await findOwnedDomain(knex, { userId, scope: undefined }, { fqdn })
  return owned ? [] : [`${fqdn} is not one of your domains.`]
}

/**
 * Whether a key may do something, with each reason against it.
 *
 * @throws Refusal `not-found`, `validation-failed`
 */
export async function testApiKey(
  services: Services,
  account: CallerAccount,
  { id }: ParamsOf<Operations['api-keys']['testApiKey']>,
  asked: KeyTestQuery,
): Promise<KeyTest> {
  const use = readUse(asked, services.now())
  const row = await findApiKey(services.knex, account.id, id)
  if (row === undefined) throw notFound('API key')
  const limits = { scope: row.scope, endsAt: endOf(row) }
  const plan = planAllows(account, 'api_keys') ? [] : ['API keys are not included in your plan.']
  const faults = faultsOf(limits, use).map((fault) => faultText(fault, limits, use))
  const reasons = [...plan, ...faults, ...(await nameFault(services, account.id, use))]
  const { action = '', fqdn = 'the domains in its scope' } = use
  return reasons.length > 0
    ? { is_allowed: false, reasons }
    : { is_allowed: true, reasons: [`The key is allowed to ${action} ${fqdn}.`] }
}
