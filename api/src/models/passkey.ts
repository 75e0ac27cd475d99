import { bigint, boolean, bytea, nullable, text, textArray, timestamptz, uuid } from './columns.ts'
import { belongsTo, ownedBy, table } from './table.ts'
import { User } from './user.ts'

/** Passkeys (WebAuthn). */
export class Passkey extends table('passkeys', {
  id: bigint,
  user_id: bigint,
  name: text,
  credential_id: bytea,
  /** COSE_Key (RFC 9052 §7). */
  public_key: bytea,
  /** The authenticator's signature counter; always 0 when it does not count. */
  sign_count: bigint,
  transports: textArray,
  /** The model of the authenticator, if it reports one. */
  aaguid: nullable(uuid),
  /** Whether it can be synced to several devices, which never changes, and whether it is. */
  is_synced: boolean,
  is_backed_up: boolean,
  created_at: timestamptz,
  last_used_at: nullable(timestamptz),
}) {
  declare account?: User
  static override readonly relationMappings = { account: belongsTo(User, 'passkeys.user_id') }
  static override readonly modifiers = { ownedBy }
}
