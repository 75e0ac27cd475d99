/** Outgoing HTTP with names, external addresses and places of the service that a test decides. */
import {
  outgoingHttp,
  type OutgoingHttpOptions,
} from '../../src/integrations/outgoing-http/outgoing-http.ts'
import { OutgoingFailure } from '../../src/integrations/outgoing-http/outgoing-failure.ts'
import type { OwnPlaces } from '../../src/integrations/outgoing-http/own-places.ts'
import { namesAsSystem } from '../../src/integrations/outside-names.ts'

/** Places of a service, in the form in which the configuration gives them. */
export const placesAt = (names: readonly string[], addresses: readonly string[]): OwnPlaces => ({
  names,
  addresses: async () => new Set(addresses),
})

/** Outgoing HTTP that may connect anywhere, unless a test says otherwise. */
export const testOutgoing = (options: Partial<OutgoingHttpOptions> = {}) =>
  outgoingHttp({
    allowsPrivate: true,
    own: placesAt([], []),
    resolveAll: namesAsSystem,
    ...options,
  })

/** The failure of a request. @throws Error when it succeeds, or when it fails with a different error */
export async function failureOf(request: Promise<unknown>): Promise<OutgoingFailure> {
  const outcome = await request.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (outcome instanceof OutgoingFailure) return outcome
  throw new Error('the request did not fail as it should', { cause: outcome })
}
