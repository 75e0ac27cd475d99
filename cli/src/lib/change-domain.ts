/** Changes of a domain that are not addresses. */
import type { components } from '@homing/openapi/client'
import type { ApiClient } from './client.ts'
import { bodyOf } from './api.ts'
import { type Domain, ofName } from './domains.ts'

type Change = components['schemas']['DomainChange']

/**
 * Changes a domain of the caller.
 *
 * @param version change it only if it still has this version
 * @throws CommandFailure as `ofName`
 */
export async function changeDomain(
  api: ApiClient,
  fqdn: string,
  change: Change,
  version?: number,
): Promise<Domain> {
  const answer = await api.PUT('/api/domains/fqdn/{fqdn}', {
    params: { path: { fqdn } },
    body: change,
    ...(version === undefined ? {} : { headers: { 'if-match': `"${version}"` } }),
  })
  return bodyOf(ofName(fqdn, answer), 'fqdn')
}
