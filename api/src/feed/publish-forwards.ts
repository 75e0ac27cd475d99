/*
 * The forward feed: what the forwarders do with requests for a name (table `forward_names`, and the change sets in
 * `forward_changes`). It is a chain of its own beside the zones' feeds, because secondaries see only public RRsets.
 *
 * `publish` calls this with the names that it published; the row of `forward_serial` is the last lock of every
 * transaction. Only differences are written, so names without a forward cost a look-up.
 */
import type { Knex } from 'knex'
import { query } from '../database/sql.ts'
import { enterStep } from './lock-order.ts'

/**
 * Writes the present state of names to the forward feed, at the end of the transaction that changed them. For a
 * wildcard among them, the registered names below it are written too.
 *
 * @returns the serial of the written set; undefined when nothing differed
 */
export async function publishForwards(
  trx: Knex.Transaction,
  names: readonly string[],
): Promise<bigint | undefined> {
  if (names.length === 0) return undefined
  enterStep(trx, 'forwards', [])
  const [row] = await query<{ serial: string | null }>(
    trx,
    'select publish_forwards(?) as serial',
    [[...names]],
    'publish-forwards',
  )
  const serial = row?.serial ?? null
  return serial === null ? undefined : BigInt(serial)
}
