import type { Knex } from 'knex'

/** The part of knex's pool (tarn) that is used here. */
interface Pool {
  numUsed(): number
  numFree(): number
  numPendingAcquires(): number
}

/** How busy the connections to the database are. */
export interface PoolLoad {
  readonly used: number
  readonly free: number
  /** Callers that wait for a connection. */
  readonly waiting: number
}

export function poolLoad(knex: Knex): PoolLoad {
  const { pool } = knex.client as { readonly pool: Pool }
  return { used: pool.numUsed(), free: pool.numFree(), waiting: pool.numPendingAcquires() }
}
