import type { NewWildcard } from '@homing/openapi'
import { domainLocked, notFound, Refusal } from '../../rules/errors.ts'
import { heldTypes, requireWithin } from '../../rules/key-scope.ts'
import { ownerNameOf, wildcardOf } from '../../rules/names.ts'
import { planRequired, requireAbility } from '../../rules/plans.ts'
import type { Actor } from '../../feed/address-change.ts'
import { addWildcard, NAME_LIMIT, type WildcardVerdict } from '../../feed/wildcard.ts'
import { requireAllowance } from '../../limits/require-allowance.ts'
import type { OwnedDomain } from '../../models/domain.ts'
import { actsAsAdministrator, type Principal, reachOf } from '../../caller/principal.ts'
import type { Services } from '../../compose.ts'
import { findDomain } from './find-domain.ts'

const WILDCARDS = 'Wildcards'

type Obstacle = Exclude<WildcardVerdict['kind'], 'made'>

/** Why the wildcard cannot be created, for the user who requested it. */
function refusalOf(obstacle: Obstacle, fqdn: string): Refusal {
  if (obstacle === 'gone') return notFound('domain')
  if (obstacle === 'not-in-plan') return planRequired(WILDCARDS)
  if (obstacle === 'locked') return domainLocked(fqdn, 'it cannot have a wildcard')
  const wildcard = wildcardOf(fqdn)
  const messages: Readonly<Record<Exclude<Obstacle, 'gone' | 'not-in-plan' | 'locked'>, string>> = {
    exists: `${fqdn} already has a wildcard.`,
    'is-wildcard': `${fqdn} is a wildcard. Use its base domain instead.`,
    'no-address': `${fqdn} has no IP address for the wildcard. Set one first.`,
    'too-long': `${wildcard} would be longer than ${NAME_LIMIT} characters.`,
    'of-zone': `${wildcard} already exists as a record of the zone.`,
    'covers-locked-name': `${wildcard} would cover a reserved name. Choose another domain.`,
  }
  const message = messages[obstacle]
  const isAboutName = obstacle === 'too-long' || obstacle === 'covers-locked-name'
  const code = isAboutName ? 'name-not-allowed' : 'conflict'
  return new Refusal(code, message, { faults: [{ field: 'base_fqdn', message }] })
}

/**
 * Creates the wildcard of one of the account's domains. A domain that was registered before its word was protected is
 * kept, but cannot have a wildcard.
 *
 * @throws Refusal `plan-required`, `not-found`, `conflict`, `domain-locked`, `name-not-allowed`, `key-scope`,
 * `rate-limited`
 */
export async function createWildcard(
  services: Services,
  principal: Principal,
  input: NewWildcard,
  actor: Actor,
): Promise<OwnedDomain> {
  const { knex, nameGuard, countryOf } = services
  requireAbility(principal.account, 'wildcard', WILDCARDS)
  const reach = reachOf(principal)
  await requireAllowance(services, 'new-names-account', reach.userId)
  const createdCc = actor.sourceIp === null ? null : await countryOf(actor.sourceIp)
  return knex.transaction(async (trx) => {
    const base = await findDomain(trx, reach, { fqdn: input.base_fqdn })
    requireWithin(reach, { recordTypes: heldTypes(base) })
    nameGuard.requireOpen({
      owner: ownerNameOf(base.fqdn, base.zone, base.is_in_own_zone),
      isAdministrator: actsAsAdministrator(principal),
      field: 'base_fqdn',
    })
    const made = await addWildcard(trx, reach.userId, base.id, actor, createdCc)
    if (made.kind !== 'made') throw refusalOf(made.kind, base.fqdn)
    return findDomain(trx, reach, { id: made.id })
  })
}
