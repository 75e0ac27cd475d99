import type { Knex } from 'knex'
import { poolOf } from './pool.ts'

/** How busy the connections to the database are. */
export interface PoolLoad {
  readonly used: number
  readonly free: number
  /** Callers that wait for a connection. */
  readonly waiting: number
}

/** How busy the pool is now. */
export function poolLoad(knex: Knex): PoolLoad {
  const pool = poolOf(knex)
  return { used: pool.numUsed(), free: pool.numFree(), waiting: pool.numPendingAcquires() }
}
