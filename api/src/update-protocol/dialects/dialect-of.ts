/** The dialect of each update URL. */
import type { operations } from '@homing/openapi'
import type { Parameters } from '../parameters.ts'
import type { Dialect } from '../update-request.ts'
import { duckdns } from './duckdns.ts'
import { dyndns2, dyndns2Delete } from './dyndns2.ts'
import { dynv6 } from './dynv6.ts'

type Dyndns = typeof operations.dyndns
type UpdateOperation = Extract<Dyndns[keyof Dyndns], { readonly access: 'update' }>
export type UpdateUrl = UpdateOperation['url']

const DIALECTS: Readonly<Record<UpdateUrl, Dialect>> = {
  '/nic/update': dyndns2,
  '/v2/update': dyndns2,
  '/v3/update': dyndns2,
  '/dyndns/update': dyndns2,
  '/api/domains/update': dyndns2,
  '/api/domains/nic/update': dyndns2,
  '/nic/delete': dyndns2Delete,
  '/update': duckdns,
  '/update/{domains}/{token}': duckdns,
  '/update/{domains}/{token}/{ip}': duckdns,
  '/u/{key}': dyndns2,
  '/api/update': dynv6,
}

/** The dialect of a request. Many services use `/update`; DuckDNS is recognised by its parameters. */
export function dialectOf(url: UpdateUrl, parameters: Parameters): Dialect {
  const isCommon =
    url === '/update' && (parameters['domains'] === undefined || parameters['token'] === undefined)
  return isCommon ? dyndns2 : DIALECTS[url]
}
