/** Outgoing HTTP with names, external addresses and places of the service that a test decides. */
import {
  type OutgoingHttp,
  outgoingHttp,
  type OutgoingHttpOptions,
} from '../../src/integrations/outgoing-http/outgoing-http.ts'
import {
  type OutgoingCode,
  OutgoingFailure,
} from '../../src/integrations/outgoing-http/outgoing-failure.ts'
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

/** A response without a body, as a target gives it. */
interface FakePage {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** What is requested at a URL: the response, or how the request fails. A function is called for each request. */
type FakeAnswer = FakePage | OutgoingCode

/** Targets that answer without a network. Hosts that a test does not describe do not exist. */
export class FakeTargets {
  readonly #pages = new Map<string, FakeAnswer | (() => Promise<FakeAnswer>)>()
  /** The URLs that were requested. */
  readonly asked: string[] = []

  describe(url: string, page: FakeAnswer | (() => Promise<FakeAnswer>)): void {
    this.#pages.set(new URL(url).href, page)
  }

  readonly target: OutgoingHttp['target'] = async ({ url }) => {
    this.asked.push(url)
    const described = this.#pages.get(url) ?? 'dns'
    const page = typeof described === 'function' ? await described() : described
    if (typeof page === 'string') throw new OutgoingFailure(page, `The request failed: ${page}.`)
    const head = { status: page.status ?? 200, headers: page.headers ?? {} }
    const hop = { ...head, url, address: '192.0.2.1', phaseMs: {} }
    return { ...hop, body: Buffer.alloc(0), isCut: false, hops: [hop], totalMs: 0 }
  }
}
