import type { Passkey as PasskeyBody } from '@homing/openapi'
import type { Knex } from 'knex'
import { Passkey } from '../../models/passkey.ts'
import type { Row } from '../../models/table.ts'
import { authenticatorName } from './authenticator-names.ts'

/** Columns of a passkey that its owner sees. */
export const PASSKEY_COLUMNS = [
  'id',
  'name',
  'created_at',
  'last_used_at',
  'transports',
  'is_synced',
  'is_backed_up',
  'aaguid',
] as const

export type PasskeyRow = Pick<Row<typeof Passkey>, (typeof PASSKEY_COLUMNS)[number]>

/** The message when a passkey has no name. */
export const NAME_MISSING = 'Please enter a name for the passkey.'

export function passkeyBody(row: PasskeyRow): PasskeyBody {
  return {
    id: row.id,
    name: row.name,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
    transports: [...row.transports],
    is_synced: row.is_synced,
    is_backed_up: row.is_backed_up,
    authenticator: authenticatorName(row.aaguid),
  }
}

/** A passkey in the form that browsers need, to use it or to avoid creating a duplicate. */
export interface CredentialDescriptor {
  readonly id: string
  readonly type: 'public-key'
  readonly transports: string[]
}

/** The passkeys of an account, oldest first. */
export async function descriptorsOf(knex: Knex, userId: string): Promise<CredentialDescriptor[]> {
  const rows = await Passkey.query(knex)
    .modify('ownedBy', userId)
    .select('credential_id', 'transports')
    .orderBy('id')
    .toKnexQuery<Pick<Row<typeof Passkey>, 'credential_id' | 'transports'>>()
  return rows.map(({ credential_id, transports }) => ({
    id: credential_id.toString('base64url'),
    type: 'public-key',
    transports: [...transports],
  }))
}
