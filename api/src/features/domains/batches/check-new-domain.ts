/** Checks whether an account can register a domain, by the rules of the registration and in its words. */
import type { DomainCheck } from '@homing/openapi'
import { Refusal } from '../../../rules/errors.ts'
import { requireWithin } from '../../../rules/key-scope.ts'
import { requireFreePlace } from '../../../rules/plans.ts'
import { requireCheckAllowance } from '../../../limits/availability-limits.ts'
import { Domain } from '../../../models/domain.ts'
import { actsAsAdministrator, type Principal, reachOf } from '../../../caller/principal.ts'
import type { RequestSource } from '../../../caller/request-source.ts'
import type { Services } from '../../../compose.ts'
import { type PlacedName, requireFreeName } from '../name-claims.ts'
import { type NameInput, placeName } from '../place-names.ts'

/** @throws Refusal as the registration would */
async function requireRegistrable(
  { knex }: Services,
  principal: Principal,
  place: PlacedName,
): Promise<void> {
  const { account } = principal
  const reach = reachOf(principal)
  requireWithin(reach, { action: 'create', fqdn: place.owner.fqdn })
  await requireFreeName(knex, reach.userId, place)
  const owned = await Domain.query(knex).modify('ownedBy', account.id).modify('bases').resultSize()
  requireFreePlace(account, owned)
}

/** @throws Refusal `rate-limited` */
export async function checkNewDomain(
  services: Services,
  principal: Principal,
  input: NameInput,
  { ip }: RequestSource,
): Promise<DomainCheck> {
  await requireCheckAllowance(services, { ip, userId: principal.account.id })
  let place: PlacedName | undefined
  try {
    const isAdministrator = actsAsAdministrator(principal)
    place = await placeName(services, { input, userId: principal.account.id, isAdministrator })
    await requireRegistrable(services, principal, place)
    return { fqdn: place.owner.fqdn, zone: place.owner.zone, available: true }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { fqdn = null, zone = null } = place?.owner ?? {}
    return { fqdn, zone, available: false, code: error.code, detail: error.message }
  }
}
