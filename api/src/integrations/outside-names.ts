/** Resolves outside names with name servers, without this machine's hosts file. */
import { lookup, Resolver } from 'node:dns/promises'

/**
 * All addresses of a name, IPv4 first; empty when the name does not exist or has no address.
 *
 * @throws Error when no name server gives an answer
 */
export type ResolveAll = (hostname: string) => Promise<readonly { readonly address: string }[]>

/** Time limit for a name server, and the number of attempts. */
const ANSWER_LIMIT_MS = 1_500
const TRIES = 2

/**
 * Queries name servers only. The system's own look-up reads `/etc/hosts`, which contains names of inside hosts. It also
 * blocks one of the four threads that evaluate passwords, until the name server answers.
 *
 * @param servers each as `IP` or `IP:port`; the system's when empty
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

/** Whether a name server answered that the name does not exist, or has no such record. */
function isAbsent(error: unknown): boolean {
  const { code } = error as { code?: string }
  return code === 'ENOTFOUND' || code === 'ENODATA'
}

/** Resolves names as this machine does, including inside names. */
export const namesAsSystem: ResolveAll = async (hostname) => {
  try {
    return await lookup(hostname, { all: true })
  } catch (error) {
    if (isAbsent(error)) return []
    throw error
  }
}
