import type { ProfileChange } from '@homing/openapi'
import type { Knex } from 'knex'
import { query } from '../../sql.ts'

/** Changes the names that are mentioned. An empty one is none. */
export async function updateProfile(
  knex: Knex,
  userId: string,
  change: ProfileChange,
): Promise<void> {
  await query(
    knex,
    `update users set given_name = case when ? then ?::text else given_name end,
                      surname = case when ? then ?::text else surname end
     where id = ?`,
    [
      change.given_name !== undefined,
      change.given_name || null,
      change.surname !== undefined,
      change.surname || null,
      userId,
    ],
  )
}
