/** An update by a session. */
import type { ApiClient } from './client.ts'
import { byFamily } from './addresses.ts'
import { bodyOf } from './api.ts'
import { addressesOf, findDomain, ofName } from './domains.ts'
import { EXIT } from './exit-codes.ts'
import { CommandFailure } from './failure.ts'
import type { UpdateResult } from './update-answer.ts'

/**
 * Sets the addresses of a domain; without any, the address at which the service sees this machine.
 *
 * @throws CommandFailure when the domain does not exist, or may not have the address
 */
export async function updateBySession(
  api: ApiClient,
  name: string,
  addresses: readonly string[],
): Promise<UpdateResult> {
  const before = await findDomain(api, name)
  const { fqdn } = before
  const wanted = addresses.length > 0 ? addresses : [await addressSeen(api)]
  const answer = await api.PUT('/api/domains/fqdn/{fqdn}', {
    params: { path: { fqdn } },
    body: byFamily(wanted),
  })
  const after = bodyOf(ofName(fqdn, answer), 'fqdn')
  const held = addressesOf(after)
  return { name: fqdn, changed: held.join() !== addressesOf(before).join(), addresses: held }
}

/** The address that this machine's requests come from, as the service sees it. */
async function addressSeen(api: ApiClient): Promise<string> {
  const { data, response } = await api.GET('/nic/checkip', { parseAs: 'text' })
  if (response.ok && data !== undefined) return data.trim()
  throw new CommandFailure(
    EXIT.failed,
    `The service did not report the address of this machine (${response.status}). Give it: --ip ADDRESS`,
  )
}
