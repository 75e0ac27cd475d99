/** The cookie that contains a browser's session token. */
import { SESSION_LIFETIME_MS } from '../credentials/session.ts'
import { hostCookie } from './host-cookie.ts'

export const {
  set: setSessionCookie,
  clear: clearSessionCookie,
  read: sessionCookie,
} = hostCookie('homing_session', SESSION_LIFETIME_MS)
