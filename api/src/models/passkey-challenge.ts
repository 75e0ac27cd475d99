import { bigint, bytea, nullable, textOf, timestamptz } from './columns.ts'
import { Session } from './session.ts'
import { belongsTo, table } from './table.ts'

/** Challenges for authenticators to sign. Each is valid once, for its purpose and its caller only. */
export class PasskeyChallenge extends table(
  'passkey_challenges',
  {
    /** SHA-256. */
    digest: bytea,
    purpose: textOf<'register' | 'sign_in' | 'second_factor' | 'confirm'>(),
    session_id: nullable(bigint),
    /** SHA-256 of the login token. */
    login_digest: nullable(bytea),
    expires_at: timestamptz,
  },
  'digest',
) {
  declare session?: Session
  static override readonly relationMappings = {
    session: belongsTo(Session, 'passkey_challenges.session_id'),
  }
}
