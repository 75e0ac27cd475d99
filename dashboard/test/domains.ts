/** A mock of the API's domains, in memory. */
import type { components } from '@homing/openapi/client'
import { screen } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { exampleOf, listed, mock, ok, problem } from './mock.ts'

type Schemas = components['schemas']
type Domain = Schemas['Domain']
type RestorableDomain = Schemas['RestorableDomain']

/** A domain: the contract's example, with changes. */
export const domain = (changes: Partial<Domain> = {}): Domain => ({
  ...exampleOf('getDomain'),
  ...changes,
})

/** A deleted domain: the contract's example, with changes. */
export const deletedDomain = (changes: Partial<RestorableDomain> = {}): RestorableDomain => {
  const [example] = exampleOf('listDeletedDomains')
  return { ...(example as RestorableDomain), ...changes }
}

/** The domain after a change, as the service shows it. */
function changedBy(found: Domain, body: Schemas['DomainChange']): Domain {
  const paused = body.paused ?? found.paused
  const others = found.withheld_by.filter((reason) => reason !== 'paused')
  const withheld_by = paused ? [...others, 'paused' as const] : others
  return { ...found, ...body, paused, withheld_by, version: found.version + 1 }
}

/** Mocks the calls for these domains. @returns the domains in memory, which calls change */
export function serveDomains(...rows: readonly Domain[]): Domain[] {
  const kept = [...rows]
  const deleted: Domain[] = []
  const find = (id: string) => kept.find((row) => row.id === id)
  mock.handle({
    listDomains: ({ query }) => listed(kept, query),
    getDomain({ params }) {
      const found = find(params.id)
      return found === undefined ? problem('not-found') : ok(found)
    },
    getDomainByFqdn({ params }) {
      const found = kept.find(({ fqdn }) => fqdn === params.fqdn)
      return found === undefined ? problem('not-found') : ok(found)
    },
    listDeletedDomains: ({ query }) =>
      listed(
        deleted.map(({ id, fqdn, zone }) => deletedDomain({ id, fqdn, zone })),
        query,
      ),
    restoreDomain({ params }) {
      const [found] = deleted.splice(
        deleted.findIndex(({ id }) => id === params.id),
        1,
      )
      if (found === undefined) return problem('not-found')
      kept.push(found)
      return ok(found)
    },
    createDomain({ body }) {
      const {
        fqdn,
        zone = 'example.net',
        rrtype = 'A',
        record_ipv4 = null,
        record_ipv6 = null,
      } = body
      const made = domain({
        id: String(100 + kept.length),
        fqdn,
        zone,
        rrtype,
        record_ipv4: rrtype === 'A' ? (body.record_ip ?? record_ipv4) : record_ipv4,
        record_ipv6: rrtype === 'AAAA' ? (body.record_ip ?? record_ipv6) : record_ipv6,
        version: 1,
      })
      kept.push(made)
      return ok(made)
    },
    checkNewDomain({ query }) {
      const { fqdn, zone = 'example.net' } = query
      if (!kept.some((row) => row.fqdn === fqdn)) return ok({ fqdn, zone, available: true })
      const detail = `${fqdn} is already registered. Choose another domain.`
      return ok({ fqdn, zone, available: false, code: 'name-taken', detail })
    },
    createWildcard({ body }) {
      const base = kept.find((row) => row.fqdn === body.base_fqdn)
      if (base === undefined) return problem('not-found')
      kept[kept.indexOf(base)] = { ...base, wildcard_enabled: true }
      const made = domain({
        ...base,
        id: String(100 + kept.length),
        fqdn: `*.${base.fqdn}`,
        is_wildcard: true,
      })
      kept.push(made)
      return ok(made)
    },
    updateDomain({ params, body, headers }) {
      const found = find(params.id)
      if (found === undefined) return problem('not-found')
      const wanted = headers.get('if-match') ?? `"${found.version}"`
      if (wanted !== `"${found.version}"`) return problem('version-mismatch')
      const changed = changedBy(found, body)
      kept[kept.indexOf(found)] = changed
      return ok(changed)
    },
    deleteDomain({ params }) {
      const found = find(params.id)
      if (found === undefined) return problem('not-found')
      deleted.push(...kept.splice(kept.indexOf(found), 1))
      return ok()
    },
  })
  return kept
}

/** Chooses an item in the menu of a domain's row. */
export async function chooseInMenu(hands: UserEvent, fqdn: string, item: string): Promise<void> {
  await hands.click(await screen.findByRole('button', { name: `Actions for ${fqdn}` }))
  await hands.click(screen.getByRole('menuitem', { name: item }))
}
