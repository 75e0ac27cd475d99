import assert from 'node:assert/strict'
import type { Knex } from 'knex'
import { removeDueAccounts } from '../../src/features/account/remove-accounts.ts'
import { NAMESERVERS } from './feed-world.ts'
import { query } from '../../src/database/sql.ts'

/** Removes an account as if its owner had deleted it and the grace period and all name reservations had ended. */
export async function removeAccount(knex: Knex, userId: string): Promise<void> {
  const now = new Date()
  await query(knex, 'update users set deletion_due_at = ? where id = ?', [now, userId])
  assert.equal(await removeDueAccounts({ knex, nameservers: NAMESERVERS }, now), 1)
  await query(knex, 'delete from name_reservations')
}
