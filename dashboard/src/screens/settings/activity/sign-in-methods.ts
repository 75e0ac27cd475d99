import type { LoginAttempt } from '../../../api/sessions.ts'

type Method = NonNullable<LoginAttempt['method']>

const METHODS: Readonly<Record<Method, string>> = {
  password: 'Password',
  password_totp: 'Password and authenticator code',
  password_recovery_code: 'Password and recovery code',
  password_passkey: 'Password and passkey',
  passkey: 'Passkey',
  update_password: 'Password at an update URL',
}

/** The method of an attempt in words. */
export const methodText = (method: Method | null): string =>
  method === null ? 'Not recorded' : METHODS[method]

/** What an attempt means if it was not the user's; undefined if nothing follows from it. */
export function warningOf({ method, success }: LoginAttempt): string | undefined {
  if (method === 'update_password') return success ? 'The password was correct.' : undefined
  const hasSecondStep = method?.startsWith('password_') === true
  return hasSecondStep && !success ? 'The password was correct.' : undefined
}
