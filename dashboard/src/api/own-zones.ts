/** Own zones, and the vanity name servers in them. */
import { type components, IDEMPOTENCY_KEY_HEADER } from '@homing/openapi/client'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { zonesQuery } from './account.ts'
import { api } from './client.ts'
import { KEPT_CURRENT } from './kept-current.ts'
import { answerOf } from './problem.ts'

type Schemas = components['schemas']

export type OwnZone = Schemas['OwnZone']
export type NewOwnZone = Schemas['NewOwnZone']
export type NameServer = Schemas['NameServerAddress']
export type DelegationCheck = Schemas['DelegationCheck']
export type DelegationFact = Schemas['DelegationFact']
export type ParentServerAnswer = Schemas['ParentServerAnswer']
export type OwnershipTask = Schemas['OwnershipTask']
export type VanityStatus = Schemas['VanityStatus']
export type VanityVerification = Schemas['VanityVerification']

/** What begins the keys of everything about own zones. */
const OWN_ZONES_KEY = 'own-zones'

/** The claims and zones of the account, by name. */
export const ownZonesQuery = queryOptions({
  ...KEPT_CURRENT,
  queryKey: [OWN_ZONES_KEY, 'list'],
  queryFn: async ({ signal }) => (await answerOf(api.GET('/api/zones', { signal }))).data,
})

export const vanityQuery = queryOptions({
  ...KEPT_CURRENT,
  queryKey: [OWN_ZONES_KEY, 'vanity'],
  queryFn: async ({ signal }) =>
    (await answerOf(api.GET('/api/vanity-ns/status', { signal }))).data,
})

/** Reads the own zones again, and the zones in which domains can be registered. */
export async function reloadOwnZones(queries: QueryClient): Promise<void> {
  await Promise.all([
    queries.invalidateQueries({ queryKey: [OWN_ZONES_KEY] }),
    queries.invalidateQueries({ queryKey: zonesQuery.queryKey }),
  ])
}

/** Shows a newer state of a zone in the list, before the list is read again. */
export function showOwnZone(queries: QueryClient, zone: OwnZone): void {
  queries.setQueryData(ownZonesQuery.queryKey, (shown) =>
    shown?.map((each) => (each.id === zone.id ? zone : each)),
  )
}

/**
 * Claims a domain as an own zone.
 *
 * @param key of a `RepeatableChange`
 * @throws ApiProblem, NetworkFailure
 */
export async function createOwnZone(body: NewOwnZone, key: string): Promise<OwnZone> {
  const params = { header: { [IDEMPOTENCY_KEY_HEADER]: key } }
  return (await answerOf(api.POST('/api/zones', { params, body }))).data
}

/** Checks the delegation and the ownership now. @throws ApiProblem, NetworkFailure */
export async function verifyOwnZone(id: string): Promise<OwnZone> {
  return (await answerOf(api.POST('/api/zones/{id}/verify', { params: { path: { id } } }))).data
}

/** Deletes a zone with its records and domains. @throws ApiProblem, NetworkFailure */
export async function deleteOwnZone({ id, zone }: OwnZone): Promise<void> {
  const params = { path: { id } }
  await answerOf(api.DELETE('/api/zones/{id}', { params, body: { confirm: zone } }))
}

/**
 * @param key of a `RepeatableChange`
 * @throws ApiProblem, NetworkFailure
 */
export async function setUpVanity(
  body: Schemas['VanitySetup'],
  key: string,
): Promise<VanityStatus> {
  const params = { header: { [IDEMPOTENCY_KEY_HEADER]: key } }
  return (await answerOf(api.POST('/api/vanity-ns/setup', { params, body }))).data
}

/** Checks the name servers now. A check that finds an error is a result. @throws ApiProblem, NetworkFailure */
export async function verifyVanity(): Promise<VanityVerification> {
  return (await answerOf(api.POST('/api/vanity-ns/verify'))).data
}

/** The zone stays, with the name servers of the service. @throws ApiProblem, NetworkFailure */
export async function removeVanity(): Promise<void> {
  await answerOf(api.DELETE('/api/vanity-ns'))
}
