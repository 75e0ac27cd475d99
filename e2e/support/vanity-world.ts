/** The whole service below a fake root, with registries, a registrar and a hoster: its name servers answer at port 53. */
import { join } from 'node:path'
import { type Account, registerAccount, signInAdministrator } from './accounts.ts'
import { createDnsWorld, type Delegation, type DnsTree } from './dns-tree/tree.ts'
import { openDoor } from './namespace-door.ts'
import { addAddress, type Namespace } from './namespaces.ts'
import { type Stack, startStack } from './stack.ts'

/** The name servers of the service, with the addresses that the guide shows. */
export const NS1 = { hostname: 'ns1.homing.test', ipv4: '198.51.100.53', ipv6: '2001:db8::53' }
export const NS2 = { hostname: 'ns2.homing.test', ipv4: '203.0.113.53' }
const ADDRESSES = [NS1.ipv4, NS1.ipv6, NS2.ipv4]

/** The delegation of a domain to the name servers of the service. */
export const TO_SERVICE: Delegation = { nameservers: [NS1.hostname, NS2.hostname] }

/** The delegation to the vanity name servers of a domain, with other addresses for some of them. */
export function toVanity(
  domain: string,
  addresses: Readonly<Record<string, readonly string[]>> = {},
): Delegation {
  const [ns1, ns2] = [`ns1.${domain}`, `ns2.${domain}`]
  const right = { [ns1]: [NS1.ipv4, NS1.ipv6], [ns2]: [NS2.ipv4] }
  return { nameservers: [ns1, ns2], glue: { ...right, ...addresses } }
}

export interface VanityWorld {
  readonly tree: DnsTree
  /** The network of the service. */
  readonly namespace: Namespace
  /** The service. Its URL leads into the namespace. */
  readonly stack: Stack
  /** Its URL in the namespace. */
  readonly insideUrl: string
  /** An account with everything that Elite includes. */
  eliteAccount(username: string): Promise<Account>
  /** An administrator gives an account another plan. */
  choosePlan(account: Account, plan: 'free' | 'pro' | 'elite'): Promise<void>
  close(): Promise<void>
}

/** Starts it with its data in a folder. Requires root. */
export async function startVanityWorld(folder: string): Promise<VanityWorld> {
  const world = await createDnsWorld(['com', 'org', 'net', 'test'])
  const { tree, service: namespace } = world
  for (const address of ADDRESSES) {
    await addAddress(namespace, 'lo', `${address}/${address.includes(':') ? 128 : 32}`)
  }
  await tree.registrar.delegate('homing.test', {
    ...TO_SERVICE,
    glue: { [NS1.hostname]: [NS1.ipv4, NS1.ipv6], [NS2.hostname]: [NS2.ipv4] },
  })
  const inside = await startStack({
    dataDir: join(folder, 'data'),
    namespace,
    env: {
      RATE_LIMITS: 'off',
      ALLOW_PRIVATE_TARGETS: '1',
      ROOT_HINTS: tree.rootServers,
      NAMESERVERS: `${NS1.hostname}/${NS1.ipv4}/${NS1.ipv6},${NS2.hostname}/${NS2.ipv4}`,
      DNS_HOST: ADDRESSES.join(','),
      DNS_PORT: '53',
    },
  })
  const door = await openDoor(namespace, folder, Number(new URL(inside.url).port))
  const stack = { ...inside, url: `http://127.0.0.1:${door.port}` }
  const boss = await signInAdministrator(stack)
  const choosePlan: VanityWorld['choosePlan'] = async (account, plan) => {
    const { data: me } = await account.api.GET('/api/me')
    const params = { path: { id: me?.id ?? '' } }
    await boss.api.PUT('/api/admin/users/{id}', { params, body: { account_type: plan } })
  }
  return {
    tree,
    namespace,
    stack,
    insideUrl: inside.url,
    async eliteAccount(username) {
      const account = await registerAccount(stack, username)
      await choosePlan(account, 'elite')
      return account
    },
    choosePlan,
    async close() {
      await door.close()
      await inside.stop()
      await world.close()
    },
  }
}
