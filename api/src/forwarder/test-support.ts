/** Forwards for the tests of this folder. */
import { type Forward, readForward } from './forward.ts'
import { ForwardNames } from './forward-names.ts'

/** A forward as the feed writes it. */
export const FEED_FORWARD = {
  id: '7',
  type: 'redirect',
  status: 301,
  target: 'https://target.example/',
  path: true,
  query: true,
  title: null,
  description: null,
  keywords: null,
  since: '2027-03-01T00:00:00.000Z',
  ttl: 60,
}

/** A forward like `FEED_FORWARD`, with other fields. */
export function makeForward(fields: Partial<Record<keyof typeof FEED_FORWARD, unknown>> = {}) {
  return readForward({ ...FEED_FORWARD, ...fields }) as Forward
}

/** Names with their forwards. */
export function makeNames(forwards: Readonly<Record<string, Forward | null>>): ForwardNames {
  const names = new ForwardNames()
  for (const [name, forward] of Object.entries(forwards)) names.set(name, forward)
  return names
}
