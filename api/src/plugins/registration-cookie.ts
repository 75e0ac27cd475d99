/**
 * The cookie of the browser that registered an account. With it that browser verifies the account's address by opening
 * the link in the mail; everybody else who opens the link is asked to press a button.
 */
import { UNVERIFIED_LIFETIME_MS } from '../credentials/registration-secret.ts'
import { hostCookie } from './host-cookie.ts'

export const {
  set: setRegistrationCookie,
  clear: clearRegistrationCookie,
  read: registrationCookie,
} = hostCookie('homing_registration', UNVERIFIED_LIFETIME_MS)
