/** The creations of a batch. Each follows the rules of a single registration (`create-domain.ts`). */
import type { BatchCreate } from '@homing/openapi'
import type { Knex } from 'knex'
import type { Actor } from '../../../feed/address-change.ts'
import { Refusal } from '../../../rules/errors.ts'
import { requireWithin } from '../../../rules/key-scope.ts'
import { requireFreePlace } from '../../../rules/plans.ts'
import { actsAsAdministrator, type Principal, reachOf } from '../../../caller/principal.ts'
import type { Services } from '../../../compose.ts'
import {
  insertDomains,
  type NewDomainFields,
  type NewRow,
  type PlanInForce,
  readNewDomain,
} from '../create-domain.ts'
import { nameObstacles, type PlacedName } from '../name-claims.ts'
import { placeNames } from '../place-names.ts'
import type { BatchLine } from './batch-line.ts'

/** A creation whose fields and name are valid. */
export interface Creation {
  readonly line: BatchLine<BatchCreate>
  readonly fields: NewDomainFields
  readonly placed: PlacedName
}

/** Reads the creations, and refuses those whose addresses or names are invalid, or outside the scope of the key. */
export async function readCreations(
  services: Services,
  principal: Principal,
  lines: readonly BatchLine<BatchCreate>[],
): Promise<Creation[]> {
  const reach = reachOf(principal)
  const inputs = lines.map(({ operation }) => operation)
  const places = await placeNames(services, inputs, {
    userId: reach.userId,
    isAdministrator: actsAsAdministrator(principal),
  })
  return lines.flatMap((line, n) => {
    const { addressPolicy } = services.config
    const fields = line.check(() => readNewDomain(line.operation, addressPolicy))
    const placed = places[n]
    if (placed instanceof Refusal) line.refuse(placed)
    if (fields === undefined || placed === undefined || placed instanceof Refusal) return []
    const { fqdn } = placed.owner
    line.fqdn = fqdn
    line.check(() => requireWithin(reach, { fqdn, recordTypes: fields.recordTypes }))
    return [{ line, fields, placed }]
  })
}

/** Refuses the creations whose names are not free. The places of the names are locked. */
export async function refuseTaken(
  trx: Knex.Transaction,
  userId: string,
  creations: readonly Creation[],
): Promise<void> {
  const placed = creations.map((creation) => creation.placed)
  const obstacles = await nameObstacles(trx, userId, placed)
  for (const [n, { line }] of creations.entries()) line.refuse(obstacles[n])
}

/**
 * Refuses the creations that the plan has no place for.
 *
 * @param freed the number of domains that the batch deletes
 */
export function refuseBeyondPlan(
  plan: PlanInForce,
  creations: readonly Creation[],
  freed: number,
): void {
  let owned = plan.owned - freed
  for (const { line } of creations) {
    if (!line.isAllowed) continue
    line.check(() => requireFreePlace(plan, owned))
    owned += 1
  }
}

/** Registers the domains. @returns their ids */
export async function insertCreations(
  trx: Knex.Transaction,
  shared: Pick<NewRow, 'userId' | 'ttl' | 'createdCc'>,
  creations: readonly Creation[],
  actor: Actor,
): Promise<string[]> {
  const rows = creations.map(({ placed, fields }) => ({ ...shared, placed, fields }))
  const ids = await insertDomains(trx, rows, actor)
  for (const [n, { line }] of creations.entries()) line.id = ids[n] ?? null
  return ids
}
