/** Calls that many rows make, and their parameters. */
import type { Belongings } from './belongings.ts'
import type { Probe, Row } from './row.ts'

/** A well-formed token that was never issued. */
export const NO_TOKEN = 'x'.repeat(43)

/** A response that no authenticator signed. */
export const UNSIGNED = {
  id: 'AAAA',
  rawId: 'AAAA',
  type: 'public-key',
  response: {
    clientDataJSON: 'e30',
    attestationObject: 'oA',
    authenticatorData: 'AAAA',
    signature: 'AAAA',
  },
}

const HOUR_MS = 3_600_000
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString()
/** A maintenance window of an hour, some hours ahead. */
export const MAINTENANCE = { starts_at: inHours(5), ends_at: inHours(6) }

export const nothing: Row['call'] = () => ({})
export const domain: Row['call'] = (its) => ({ params: { id: its.domainId } })
export const domainByName: Row['call'] = (its) => ({ params: { fqdn: its.fqdn } })
export const user: Row['call'] = (its) => ({ params: { id: its.userId } })

export const filtered =
  (filter: (its: Belongings) => object): Row['call'] =>
  (its) => ({ query: { filter: JSON.stringify(filter(its)) } })

export const scopedProbe = (extra: object): Probe => ({
  call: (its) => ({ body: { name: 'probe', ...extra, scope: { domains: [its.fqdn] } } }),
  writes: true,
})
