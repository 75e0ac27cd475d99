/** Finds the owner names of requested domains, and the zones that would answer for them. */
import type { NewDomain } from '@homing/openapi'
import { attempt, invalid, Refusal } from '../../rules/errors.ts'
import {
  namesAtOrAbove,
  type OwnerName,
  parseName,
  parseOwnerName,
  zoneHolding,
} from '../../rules/names.ts'
import { offeredZones, servedOwnZones, Zone } from '../../models/zone.ts'
import type { Services } from '../../compose.ts'
import type { PlacedName } from './name-claims.ts'

/** The fields of a new domain that say its name. */
export type NameInput = Pick<NewDomain, 'fqdn' | 'zone'>

/** A zone in which the caller can register names. */
interface OpenZone {
  readonly id: string
  readonly name: string
  /** Whether it is the caller's own. */
  readonly isOwn: boolean
}

/** The provider's zones, and the caller's own. */
async function openZones({ knex }: Services, userId: string): Promise<OpenZone[]> {
  const [offered, own] = await Promise.all([offeredZones(knex), servedOwnZones(knex, userId)])
  return [
    ...offered.map((zone) => ({ ...zone, isOwn: false })),
    ...own.map((zone) => ({ ...zone, isOwn: true })),
  ]
}

/** The zone that the caller named, or the one that the name ends in. */
function zoneNamed(input: NameInput, offered: readonly OpenZone[]): OpenZone {
  const choices = offered.map(({ name }) => name)
  const named = (name: string) => offered.find((zone) => zone.name === name)
  const expected = `Expected one of: ${choices.join(', ')}.`
  if (input.zone === undefined) {
    const found = zoneHolding(parseName(input.fqdn.trim(), 'fqdn'), new Set(choices))
    const open = found === undefined ? undefined : named(found)
    if (open !== undefined) return open
    throw invalid({
      field: 'zone',
      message: `zone is missing, and fqdn does not end in an available zone. ${expected}`,
    })
  }
  const zone = parseName(input.zone.trim(), 'zone')
  const open = named(zone)
  if (open !== undefined) return open
  throw invalid({ field: 'zone', message: `${zone} is not an available zone. ${expected}` })
}

interface InForce {
  readonly services: Services
  readonly offered: readonly OpenZone[]
  /** The zones at or above the requested names, offered or not. */
  readonly zones: ReadonlySet<string>
  readonly isAdministrator: boolean
}

function placed(owner: OwnerName, { services, offered, zones, isAdministrator }: InForce) {
  const { fqdn, zone } = owner
  // A zone inside another zone answers for its names itself, even if it is not offered.
  const holding = zoneHolding(fqdn, zones)
  if (holding !== zone) {
    const message = `${fqdn} belongs to the zone ${holding}, not to ${zone}.`
    throw new Refusal('name-not-allowed', message, { faults: [{ field: 'fqdn', message }] })
  }
  const names = offered.filter(({ isOwn }) => !isOwn).map(({ name }) => name)
  services.nameGuard.requireOpen({ owner, zones: names, isAdministrator, field: 'fqdn' })
  return { owner, zoneId: offered.find(({ name }) => name === zone)?.id ?? '' }
}

/** Who registers names. */
export interface NameCaller {
  readonly userId: string
  readonly isAdministrator: boolean
}

/**
 * The requested owner names, each in the zone that would answer for it, or the refusal `name-not-allowed` or
 * `validation-failed`.
 */
export async function placeNames(
  services: Services,
  inputs: readonly NameInput[],
  { userId, isAdministrator }: NameCaller,
): Promise<(PlacedName | Refusal)[]> {
  const offered = await openZones(services, userId)
  const owners = inputs.map((input) =>
    attempt(() => {
      const { name, isOwn } = zoneNamed(input, offered)
      return parseOwnerName(input.fqdn, name, isOwn)
    }),
  )
  const above = owners.flatMap((owner) =>
    owner instanceof Refusal ? [] : namesAtOrAbove(owner.fqdn),
  )
  const rows = await Zone.query(services.knex)
    .select('name')
    .whereIn('name', [...new Set(above)])
  const zones = new Set(rows.map(({ name }) => name))
  const inForce = { services, offered, zones, isAdministrator }
  return owners.map((owner) =>
    owner instanceof Refusal ? owner : attempt(() => placed(owner, inForce)),
  )
}

/**
 * As `placeNames`, for one name.
 *
 * @throws Refusal `name-not-allowed`, `validation-failed`
 */
export async function placeName(
  services: Services,
  { input, ...caller }: NameCaller & { readonly input: NameInput },
): Promise<PlacedName> {
  const [place] = await placeNames(services, [input], caller)
  if (place instanceof Refusal) throw place
  if (place === undefined) throw new Error('each name has a place or a refusal')
  return place
}
