/**
 * The cookie of the browser that registered an account. With the cookie, opening the link in the mail verifies the
 * account's address. Without it, the page of the link asks the reader to press a button.
 */
import { UNVERIFIED_LIFETIME_MS } from '../credentials/registration-secret.ts'
import { hostCookie } from './host-cookie.ts'

export const {
  set: setRegistrationCookie,
  clear: clearRegistrationCookie,
  read: registrationCookie,
} = hostCookie('homing_registration', UNVERIFIED_LIFETIME_MS)
