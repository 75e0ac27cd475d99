/** Finds the place of records for the caller. The response for another account's is as for one that does not exist. */
import type { Knex } from 'knex'
import { findRecordPlace, type FoundPlace, type PlaceKey } from '../../models/record-place.ts'
import { notFound, Refusal } from '../../rules/errors.ts'
import { type Reach, scopeHoldsRecord } from '../../rules/key-scope.ts'

/** As for a place that does not exist: whether another account has it stays unknown. */
export const placeNotFound = (key: PlaceKey): Refusal =>
  notFound('claimId' in key ? 'zone' : 'domain')

/** @throws Refusal `not-found` */
export async function findPlace(db: Knex, reach: Reach, key: PlaceKey): Promise<FoundPlace> {
  const place = await findRecordPlace(db, reach, key)
  if (place !== undefined) return place
  throw placeNotFound(key)
}

/** A zone that the plan does not include any more can be read. @throws Refusal `zone-not-active` */
export function requireActive({ kind, state, zone }: FoundPlace): void {
  if (kind === 'domain' || state === 'active') return
  throw new Refusal(
    'zone-not-active',
    `Your plan does not include the zone ${zone} any more, so its records cannot be changed. To change them, choose a larger plan.`,
  )
}

/** @param domain the domain at or above the owner name; undefined: no domain covers it */
export const holdsOwner = (
  { scope }: Reach,
  place: FoundPlace,
  owner: string,
  domain: string | null | undefined,
): boolean => scope === undefined || scopeHoldsRecord(scope, owner, domain ?? place.fqdn)
