/** The addresses of names outside, asked of name servers and not of this machine's own table of hosts. */
import { lookup, Resolver } from 'node:dns/promises'

/**
 * Every address of a name, those of IPv4 first; an empty list when the name does not exist or has no address.
 *
 * @throws Error when no name server says so
 */
export type ResolveAll = (hostname: string) => Promise<readonly { readonly address: string }[]>

/** The longest that a name server is waited for, and how often it is asked. */
const ANSWER_LIMIT_MS = 1_500
const TRIES = 2

/**
 * Asks over the network alone. The system's own look-up reads `/etc/hosts`, where the names of what is inside stand, and
 * blocks one of four threads that passwords are evaluated on, for as long as a name server likes.
 *
 * @param servers `IP` or `IP:port` of each; the system's when there are none
 */
export function namesOutside(servers: readonly string[] = []): ResolveAll {
  const resolver = new Resolver({ timeout: ANSWER_LIMIT_MS, tries: TRIES })
  if (servers.length > 0) resolver.setServers([...servers])
  return async (hostname) => {
    const name = hostname.replace(/\.$/, '')
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const addresses = answers.flatMap((answer) =>
      answer.status === 'fulfilled' ? answer.value.map((address) => ({ address })) : [],
    )
    if (addresses.length > 0) return addresses
    const failed = answers.find(
      (answer) => answer.status === 'rejected' && !isAbsent(answer.reason),
    )
    if (failed?.status === 'rejected') throw failed.reason
    return []
  }
}

/** Whether a name server says that there is no such name, or that it has no such record. */
function isAbsent(error: unknown): boolean {
  const { code } = error as { code?: string }
  return code === 'ENOTFOUND' || code === 'ENODATA'
}

/** As this machine finds names, also those inside. */
export const namesAsSystem: ResolveAll = async (hostname) => {
  try {
    return await lookup(hostname, { all: true })
  } catch (error) {
    if (isAbsent(error)) return []
    throw error
  }
}
