import type { Knex } from 'knex'
import type { Client } from 'pg'

/** The part of knex's pool (tarn) that is used here. knex does not type it. */
interface Pool {
  numUsed(): number
  numFree(): number
  numPendingAcquires(): number
  on(event: 'acquireSuccess', told: (id: number, client: Client) => void): void
  on(event: 'release', told: (client: Client) => void): void
}

/** The pool of connections that knex uses. */
export const poolOf = (knex: Knex): Pool => (knex.client as { readonly pool: Pool }).pool
