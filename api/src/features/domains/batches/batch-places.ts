/**
 * How many batches this process handles at once. A batch can hold hundreds of locks for a second; more batches at once
 * would be no faster, because those of one zone publish one after another.
 */
import { Places } from '../../../limits/places.ts'

const ACCOUNT_LIMIT = 3

export const batchPlaces = new Places({
  limit: 4,
  accountLimit: ACCOUNT_LIMIT,
  messages: {
    all: 'Too many batches are in progress. Please try again shortly.',
    own: `${ACCOUNT_LIMIT} batches of your account are in progress. Please wait until one of them has finished.`,
  },
})
