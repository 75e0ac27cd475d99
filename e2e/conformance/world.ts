/**
 * Two test networks that differ only in one server: dnsd serves homing.test in one, Knot in the other,
 * with the same names and addresses. If a tool reports something for only one of them, the server is
 * the cause.
 *
 *   client ── veth ── servers     192.0.2.53, 198.51.100.53    ns1 and ns2: dnsd or Knot
 *                                 203.0.113.53                 the root and test., by another Knot
 *
 * The networks have no Internet access and no other name servers.
 */
import { join } from 'node:path'
import { startKnot } from '../support/knot.ts'
import { addAddress, connect, createNamespace, type Namespace } from '../support/namespaces.ts'

export const ZONE = 'homing.test'
export const ZONE_FILE = new URL('homing.test.zone', import.meta.url).pathname
/** The name servers of the zone, each with its addresses. */
export const NAME_SERVERS = {
  'ns1.homing.test': ['192.0.2.53', '2001:db8:1::53'],
  'ns2.homing.test': ['198.51.100.53', '2001:db8:2::53'],
} as const
export const [NS1] = NAME_SERVERS['ns1.homing.test']
export const ZONE_ADDRESSES = Object.values(NAME_SERVERS).flat()
const PARENT_ADDRESSES = ['203.0.113.53', '2001:db8:3::53']
const PARENT = 'a.root.test'

/** The root zone and test., with the delegations to the zone. */
const PARENT_ZONES = {
  '': `. 3600 SOA ${PARENT}. hostmaster.root.test. 1 14400 3600 1209600 900
. 3600 NS ${PARENT}.
test. 3600 NS ${PARENT}.
${addressRecords(PARENT, PARENT_ADDRESSES)}
`,
  test: `test. 3600 SOA ${PARENT}. hostmaster.root.test. 1 14400 3600 1209600 900
test. 3600 NS ${PARENT}.
${addressRecords(PARENT, PARENT_ADDRESSES)}
${Object.entries(NAME_SERVERS)
  .flatMap(([name, addresses]) => [`${ZONE}. 3600 NS ${name}.`, addressRecords(name, addresses)])
  .join('\n')}
`,
}

/** The root hints of a resolver (RFC 8109). */
export const ROOT_HINTS = `. 3600 NS ${PARENT}.\n${addressRecords(PARENT, PARENT_ADDRESSES)}\n`

function addressRecords(name: string, addresses: readonly string[]): string {
  return addresses
    .map((address) => `${name}. 3600 ${address.includes(':') ? 'AAAA' : 'A'} ${address}`)
    .join('\n')
}

export interface World {
  /** The namespace of the servers. */
  readonly servers: Namespace
  /** The namespace of the clients. */
  readonly client: Namespace
  /** Stops its servers and removes its networks. */
  close(): Promise<void>
}

/** A test network without a server for homing.test. */
export async function createWorld(folder: string): Promise<World> {
  const [servers, client] = await Promise.all([createNamespace(), createNamespace()])
  const ends = { servers: ['10.53.0.1', '2001:db8:53::1'], client: ['10.53.0.2', '2001:db8:53::2'] }
  const networks = (addresses: readonly string[]) =>
    addresses.map((address) => `${address}/${address.includes(':') ? 64 : 24}`)
  await connect(
    { namespace: servers, interface: 'clients', addresses: networks(ends.servers) },
    { namespace: client, interface: 'servers', addresses: networks(ends.client) },
  )
  for (const via of ends.servers) await client.run('ip', 'route', 'add', 'default', 'via', via)
  for (const address of [...ZONE_ADDRESSES, ...PARENT_ADDRESSES]) {
    await addAddress(servers, 'lo', `${address}/${address.includes(':') ? 128 : 32}`)
  }
  const parent = await startKnot({
    namespace: servers,
    folder: join(folder, 'parent'),
    addresses: PARENT_ADDRESSES,
    zones: PARENT_ZONES,
  })
  return {
    servers,
    client,
    async close() {
      await parent.stop()
      await Promise.all([servers.release(), client.release()])
    },
  }
}
