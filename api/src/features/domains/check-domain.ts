/** Checks whether a label is available for registration, in each zone on offer. */
import type { DomainAvailability } from '@homing/openapi'
import { invalid } from '../../rules/errors.ts'
import { ownerNameOf, parseName } from '../../rules/names.ts'
import { requireCheckAllowance } from '../../limits/availability-limits.ts'
import { offeredZones, Zone } from '../../models/zone.ts'
import type { RequestSource } from '../../caller/request-source.ts'
import type { Services } from '../../compose.ts'
import { nameObstacles } from './name-claims.ts'

/** No account has this id. */
const NOBODY = '0'

/** @throws Refusal `name-not-allowed`, `validation-failed` for more than one label */
function parseLabel(text: string): string {
  const label = parseName(text.trim(), 'label')
  if (!label.includes('.')) return label
  const message = 'label must be a single label, without dots and without the zone, such as home.'
  throw invalid({ field: 'label', message })
}

/**
 * Checks a label in each zone on offer, by the rules of the registration. The answer does not say why a domain is not
 * available.
 *
 * @throws Refusal `name-not-allowed`, `validation-failed`, `rate-limited`
 */
export async function checkDomain(
  services: Services,
  text: string,
  { ip }: RequestSource,
): Promise<DomainAvailability[]> {
  const { knex, nameGuard } = services
  const label = parseLabel(text)
  await requireCheckAllowance(services, { ip })
  const offered = await offeredZones(knex)
  const fqdns = offered.map(({ name }) => `${label}.${name}`)
  // Names of zones belong to those zones, offered or not.
  const zones = await Zone.query(knex).select('name').whereIn('name', fqdns)
  const inside = new Set(zones.map(({ name }) => name))
  const names = offered.map(({ name }) => name)
  const placed = offered.map(({ id, name }) => ({
    zoneId: id,
    owner: ownerNameOf(`${label}.${name}`, name),
  }))
  const obstacles = await nameObstacles(knex, NOBODY, placed)
  return placed.map(({ owner }, n) => {
    const { fqdn, zone } = owner
    const isOpen = !inside.has(fqdn) && nameGuard.isOpen(owner, names)
    return { fqdn, zone, available: isOpen && obstacles[n] === undefined }
  })
}
