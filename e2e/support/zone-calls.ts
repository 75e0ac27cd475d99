/** Own zones as their owners use them, by calls of the API. Calls that are refused throw, with the reason. */
import type { components } from '@homing/openapi/client'
import type { Account } from './accounts.ts'

type Schemas = components['schemas']
export type OwnZone = Schemas['OwnZone']

interface Answer<Body> {
  readonly data?: Body | undefined
  readonly error?: { readonly detail?: string | undefined } | undefined
}

/** @throws Error with the reason of a refusal */
function bodyOf<Body>({ data, error }: Answer<Body>): Body {
  if (data === undefined) throw new Error(error?.detail)
  return data
}

const byId = (id: string) => ({ params: { path: { id } } })

/** Sets up vanity name servers. */
export const setUpVanity = async ({ api }: Account, domain: string) =>
  bodyOf(await api.POST('/api/vanity-ns/setup', { body: { domain } }))

export const vanityStatus = async ({ api }: Account) =>
  bodyOf(await api.GET('/api/vanity-ns/status'))

export const verifyVanity = async ({ api }: Account) =>
  bodyOf(await api.POST('/api/vanity-ns/verify'))

export const claimZone = async ({ api }: Account, body: Schemas['NewOwnZone']): Promise<OwnZone> =>
  bodyOf(await api.POST('/api/zones', { body }))

export const readZone = async ({ api }: Account, id: string): Promise<OwnZone> =>
  bodyOf(await api.GET('/api/zones/{id}', byId(id)))

export const verifyZone = async ({ api }: Account, id: string): Promise<OwnZone> =>
  bodyOf(await api.POST('/api/zones/{id}/verify', byId(id)))

/** The status of the answer to a deletion of a zone. */
export const deleteZone = async ({ api }: Account, id: string, confirm: string): Promise<number> =>
  (await api.DELETE('/api/zones/{id}', { ...byId(id), body: { confirm } })).response.status

/** The name and the value that a proof of this claim needs. */
export async function proofOf(
  account: Account,
  id: string,
  method: 'txt' | 'ns',
): Promise<{ readonly name: string; readonly value: string }> {
  const { tasks } = await readZone(account, id)
  const task = tasks.find((each) => each.method === method)
  if (task === undefined) throw new Error(`${method} is not a task: ${JSON.stringify(tasks)}`)
  return { name: task.name, value: task.values[0] ?? '' }
}

/** Adds a record to an own zone. */
export async function addRecord({ api }: Account, id: string, record: Schemas['NewRecord']) {
  bodyOf(await api.POST('/api/zones/{id}/records', { ...byId(id), body: record }))
}

/** Registers a domain with an IPv4 address in an own zone. */
export async function addDomain({ api }: Account, fqdn: string, zone: string, address: string) {
  bodyOf(await api.POST('/api/domains', { body: { fqdn, zone, rrtype: 'A', record_ip: address } }))
}
