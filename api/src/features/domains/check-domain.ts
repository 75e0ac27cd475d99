/** Checks whether a label is available for registration, in each zone on offer. */
import type { DomainAvailability } from '@homing/openapi'
import type { Knex } from 'knex'
import { invalid, Refusal } from '../../rules/errors.ts'
import { ownerNameOf, parseName } from '../../rules/names.ts'
import { requireNetworkAllowance } from '../../limits/network-limits.ts'
import { type OfferedZone, offeredZones, Zone } from '../../models/zone.ts'
import type { RequestSource } from '../../caller/request-source.ts'
import type { Services } from '../../compose.ts'
import { requireFreeName } from './name-claims.ts'

/** No account has this id. */
const NOBODY = '0'

/** @throws Refusal `name-not-allowed`, `validation-failed` for more than one label */
function parseLabel(text: string): string {
  const label = parseName(text.trim(), 'label')
  if (!label.includes('.')) return label
  const message = 'label must be a single label, without dots and without the zone, such as home.'
  throw invalid({ field: 'label', message })
}

/** Whether the rules about claims allow a person without an account to register the name. */
async function isUnclaimed(knex: Knex, { id, name }: OfferedZone, fqdn: string): Promise<boolean> {
  try {
    await requireFreeName(knex, id, ownerNameOf(fqdn, name), NOBODY)
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
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
  await requireNetworkAllowance(services, 'availability-network', ip)
  const offered = await offeredZones(knex)
  const fqdns = offered.map(({ name }) => `${label}.${name}`)
  // Names of zones belong to those zones, offered or not.
  const zones = await Zone.query(knex).select('name').whereIn('name', fqdns)
  const inside = new Set(zones.map(({ name }) => name))
  const names = offered.map(({ name }) => name)
  const answers: DomainAvailability[] = []
  // One after another: everybody can call this, and a call must not take a connection for each zone.
  for (const zone of offered) {
    const fqdn = `${label}.${zone.name}`
    const isOpen = !inside.has(fqdn) && nameGuard.isOpen(ownerNameOf(fqdn, zone.name), names)
    const available = isOpen && (await isUnclaimed(knex, zone, fqdn))
    answers.push({ fqdn, zone: zone.name, available })
  }
  return answers
}
