/** A mock of the API's web forwards, in memory. */
import type { components } from '@homing/openapi/client'
import { domain } from './domains.ts'
import { exampleOf, listed, mock, ok, problem } from './mock.ts'

type Schemas = components['schemas']
type WebForward = Schemas['WebForward']
type Domain = Schemas['Domain']
type Usage = Schemas['WebForwardUsage']

/** A web forward: the contract's example, with changes. */
export const forward = (changes: Partial<WebForward> = {}): WebForward => {
  const [example] = exampleOf('listWebForwards')
  return { ...(example as WebForward), ...changes }
}

/** A plan with stealth flags, or without web forwarding. */
export const usageOf = (flags: number, used = 0, isIncluded = true): Usage => ({
  total_forwards: used,
  stealth_flags_used: used,
  max_stealth_flags: flags,
  remaining_stealth_flags: flags - used,
  can_create_redirect: isIncluded,
  can_create_stealth: isIncluded && flags > used,
})

interface Served {
  readonly forwards: readonly WebForward[]
  readonly domains?: readonly Domain[]
  readonly usage?: Usage
  /** What the service says about the target of a saved forward. */
  readonly warning?: string
}

/** Mocks the calls for these forwards. @returns the forwards in memory, which calls change */
export function serveForwards(served: Served): WebForward[] {
  const { domains = [domain()], usage = usageOf(10), warning } = served
  const kept = [...served.forwards]
  const note = warning === undefined ? {} : { warning }
  const find = (id: string) => kept.find((row) => row.id === id)
  mock.handle({
    listDomains: ({ query }) => listed(domains, query),
    getDomainByFqdn({ params }) {
      const found = domains.find(({ fqdn }) => fqdn === params.fqdn)
      return found === undefined ? problem('not-found') : ok(found)
    },
    listWebForwards: () => ok([...kept]),
    getWebForwardUsage: () => ok({ ...usage, total_forwards: kept.length }),
    createWebForward({ body }) {
      const fqdn = domains.find(({ id }) => id === body.domain_id)?.fqdn ?? ''
      const made = forward({ status_code: 301, ...body, id: String(10 + kept.length), fqdn })
      kept.push(made)
      return ok({ ...made, ...note })
    },
    updateWebForward({ params, body, headers }) {
      const found = find(params.id)
      if (found === undefined) return problem('not-found')
      if (headers.get('if-match') !== `"${found.version}"`) return problem('version-mismatch')
      const changed = { ...found, ...body, version: found.version + 1 }
      kept[kept.indexOf(found)] = changed
      return ok({ ...changed, ...note })
    },
    deleteWebForward({ params }) {
      const found = find(params.id)
      if (found === undefined) return problem('not-found')
      kept.splice(kept.indexOf(found), 1)
      return ok()
    },
  })
  return kept
}
