/** The job `blocked-target`: applies a blocked target, or its deletion, to all web forwards. */
import type { Knex } from 'knex'
import { SYSTEM } from '../feed/address-change.ts'
import { applyBlockedTarget } from '../feed/blocked-targets.ts'

/** A forward that matches already is not written again, so an interrupted job can start from the beginning. */
export async function settleBlockedTarget(knex: Knex, id: string): Promise<void> {
  let after: string | undefined = '0'
  while (after !== undefined) after = await applyBlockedTarget(knex, id, after, SYSTEM)
}
