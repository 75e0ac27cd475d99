/**
 * The rows of the update URLs: how each updates a name. The caller's secret is in the URL if the URL has a place for
 * it, otherwise in `Authorization`.
 */
import type { Belongings } from './belongings.ts'
import type { MatrixCall } from './call-url.ts'
import type { UpdateId } from './row.ts'

export interface UpdateRow {
  /** @param secret a password, a token or a key */
  readonly ask: (its: Belongings, secret: string) => MatrixCall
  /** The beginning of a success. */
  readonly done: RegExp
  /** The place of the secret: the header, or the URL, which does not accept account passwords. */
  readonly secretIn: 'header' | 'url'
}

/** The address that every row sets; no name has it before. */
const ASKED_ADDRESS = '198.51.100.66'

const lines: UpdateRow = {
  ask: (its) => ({ query: { hostname: its.fqdn, myip: ASKED_ADDRESS } }),
  done: /^good /,
  secretIn: 'header',
}
const withdrawal: UpdateRow = {
  ...lines,
  ask: (its) => ({ query: { hostname: its.fqdn } }),
  done: /^good/,
}
const duckDns: UpdateRow = {
  ask: (its, token) => ({ query: { domains: its.fqdn, token, ip: ASKED_ADDRESS } }),
  done: /^OK/,
  secretIn: 'url',
}
const dynv6: UpdateRow = {
  ask: (its, token) => ({ query: { zone: its.fqdn, token, ipv4: ASKED_ADDRESS } }),
  done: /^addresses updated/,
  secretIn: 'url',
}

export const UPDATE_ROWS = {
  nicUpdate: lines,
  nicUpdateByPost: lines,
  nicUpdateByPut: lines,
  v2Update: lines,
  v2UpdateByPost: lines,
  v2UpdateByPut: lines,
  v3Update: lines,
  v3UpdateByPost: lines,
  v3UpdateByPut: lines,
  dyndnsUpdate: lines,
  dyndnsUpdateByPost: lines,
  dyndnsUpdateByPut: lines,
  domainsUpdate: lines,
  domainsUpdateByPost: lines,
  domainsUpdateByPut: lines,
  domainsNicUpdate: lines,
  domainsNicUpdateByPost: lines,
  domainsNicUpdateByPut: lines,
  nicDelete: withdrawal,
  nicDeleteByPost: withdrawal,
  nicDeleteByPut: withdrawal,
  duckDnsUpdate: duckDns,
  duckDnsUpdateByPost: duckDns,
  duckDnsUpdateByPut: duckDns,
  dynv6Update: dynv6,
  dynv6UpdateByPost: dynv6,
  dynv6UpdateByPut: dynv6,
  keyUpdate: {
    ask: (its, key) => ({ params: { key }, query: { hostname: its.fqdn, myip: ASKED_ADDRESS } }),
    done: /^good /,
    secretIn: 'url',
  },
  duckDnsPathUpdate: {
    ask: (its, token) => ({ params: { domains: its.fqdn, token } }),
    done: /^OK/,
    secretIn: 'url',
  },
  duckDnsPathAddressUpdate: {
    ask: (its, token) => ({ params: { domains: its.fqdn, token, ip: ASKED_ADDRESS } }),
    done: /^OK/,
    secretIn: 'url',
  },
} as const satisfies Readonly<Record<UpdateId, UpdateRow>>

export function updateRowOf(operationId: string): UpdateRow {
  const row = (UPDATE_ROWS as Readonly<Record<string, UpdateRow>>)[operationId]
  if (row === undefined) throw new Error(`${operationId} has no row in the route matrix`)
  return row
}
