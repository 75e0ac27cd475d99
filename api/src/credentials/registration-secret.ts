/** The secret of the browser that registered an account, valid until the account is signed in to. */
import type { CredentialServices } from './services.ts'

/** How long an account may stay unverified before it is deleted, in milliseconds. */
export const UNVERIFIED_LIFETIME_MS = 7 * 86_400_000

/** 256 random bits as text. The database stores their SHA-256. */
export const newRegistrationSecret = ({
  randomBytes,
}: Pick<CredentialServices, 'randomBytes'>): string => randomBytes(32).toString('base64url')
