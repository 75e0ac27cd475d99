/**
 * How many batches and imports of records this process handles at once. One can hold the lock of its account, and the
 * serial of its zone, for a second.
 */
import { Places } from '../../limits/places.ts'

const ACCOUNT_LIMIT = 3

export const recordPlaces = new Places({
  limit: 4,
  accountLimit: ACCOUNT_LIMIT,
  messages: {
    all: 'Too many batches and imports are in progress. Please try again shortly.',
    own: `${ACCOUNT_LIMIT} batches and imports of your account are in progress. Please wait until one of them has finished.`,
  },
})
