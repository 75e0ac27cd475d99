import type { ProfileChange } from '@homing/openapi'
import type { Knex } from 'knex'
import { User } from '../../models/user.ts'

/** Changes the given names. An empty name removes it. */
export async function updateProfile(
  knex: Knex,
  userId: string,
  change: ProfileChange,
): Promise<void> {
  const { given_name, surname } = change
  const names = {
    ...(given_name === undefined ? {} : { given_name: given_name || null }),
    ...(surname === undefined ? {} : { surname: surname || null }),
  }
  if (Object.keys(names).length > 0) await User.query(knex).findById(userId).patch(names)
}
