import type { SignedIn } from '@homing/openapi'
import type { BegunSession } from './login.ts'

/** What the answer to signing in says. @param token the session, or `session` when a cookie carries it */
export function signedInBody({ user, createdAt }: BegunSession, token: string): SignedIn {
  return {
    token,
    id: user.id,
    user_id: user.id,
    username: user.username,
    email: user.email,
    account_type: user.account_type,
    role: user.account_type,
    plan: user.account_type,
    given_name: user.given_name,
    surname: user.surname,
    session_created: createdAt.toISOString(),
  }
}
