import { bigint, bytea, nullable, textOf, timestamptz } from './columns.ts'
import { Session } from './session.ts'
import { belongsTo, table } from './table.ts'

/** What authenticators are asked to sign. Each is used once, and only for its purpose and its caller. */
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
