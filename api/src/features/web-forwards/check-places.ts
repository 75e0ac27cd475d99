/**
 * How many targets this process checks at once. A check holds its call for up to ten seconds, as long as the target wants;
 * without this limit, slow targets of two accounts would take all the calls that the API serves at once.
 */
import { Places } from '../../limits/places.ts'

/** A quarter of the calls that are served at once. */
const AT_ONCE_LIMIT = 32
/** A browser makes six calls at once. */
const ACCOUNT_LIMIT = 8

export const checkPlaces = new Places({
  limit: AT_ONCE_LIMIT,
  accountLimit: ACCOUNT_LIMIT,
  messages: {
    all: 'Too many targets are being checked. Please try again shortly.',
    own: `${ACCOUNT_LIMIT} targets of your account are being checked. Please wait until one of these checks has finished.`,
  },
})
