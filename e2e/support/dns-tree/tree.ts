/**
 * The DNS above a domain, in a network namespace: root servers, registries and a hoster, all on port 53.
 *
 *   10.99.0.1, .2     a.root-servers.internal, b.root-servers.internal
 *   10.99.1.1, .2     a.nic.<first top-level domain>, b.nic.…; .3, .4 of the second one, and so on
 *   10.99.2.1         ns.hoster.<first top-level domain>: serves domains that are not at Homing
 *
 * `registrar` changes delegations as the owner of a domain does, at once and at both servers of the registry.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { TextRecord } from '../../../test/dns-tree/message.ts'
import type { Zones } from '../../../test/dns-tree/zone-answers.ts'
import { addAddress, connect, createNamespace, type Namespace } from '../namespaces.ts'
import type { TreeState } from './server.ts'
import { type Delegation, hostedZone, type NamedServer, rootZone, topLevelZone } from './zones.ts'

export type { Delegation } from './zones.ts'

const SERVER = new URL('server.ts', import.meta.url).pathname
const ROOTS: readonly NamedServer[] = ['a', 'b'].map((letter, index) => ({
  hostname: `${letter}.root-servers.internal`,
  address: `10.99.0.${index + 1}`,
}))

export interface DnsTree {
  /** The value of `ROOT_HINTS` for the service. */
  readonly rootServers: string
  /** Master file lines with the root servers, for a resolver. */
  readonly rootHints: string
  /** The name server to which a domain is delegated while it is hosted elsewhere. */
  readonly hoster: NamedServer
  readonly registrar: {
    /** Registers a domain below one of the top-level domains, or replaces its delegation. */
    delegate(domain: string, delegation: Delegation): Promise<void>
    remove(domain: string): Promise<void>
  }
  /** One server of the registry has another delegation than the other; undefined: the same again. */
  differ(hostname: string, domain: string, delegation: Delegation | undefined): Promise<void>
  /** What the hoster serves for a domain. Owner names are complete, without the final dot. */
  host(domain: string, records: readonly TextRecord[]): Promise<void>
  /** A dead server gets queries and never answers. @param hostname such as `b.nic.example` */
  setDead(hostname: string, isDead: boolean): Promise<void>
  stop(): Promise<void>
}

/** Everything that the servers know, as a registry's customers have set it. */
class TreeContents {
  readonly hoster: NamedServer
  readonly delegations = new Map<string, Delegation>()
  readonly differing = new Map<string, Map<string, Delegation>>()
  readonly hosted = new Map<string, readonly TextRecord[]>()
  readonly dead = new Set<string>()
  readonly #topLevels: ReadonlyMap<string, readonly NamedServer[]>

  constructor(names: readonly [string, ...string[]]) {
    this.#topLevels = new Map(names.map((name, index) => [name, registryServers(name, index)]))
    const domain = `hoster.${names[0]}`
    this.hoster = { hostname: `ns.${domain}`, address: '10.99.2.1' }
    const { hostname, address } = this.hoster
    this.delegations.set(domain, { nameservers: [hostname], glue: { [hostname]: [address] } })
    this.hosted.set(domain, [[hostname, 'A', address]])
  }

  get servers(): readonly NamedServer[] {
    return [...ROOTS, ...[...this.#topLevels.values()].flat(), this.hoster]
  }

  state(): TreeState {
    const states = this.servers.map((server) => [
      server.address,
      { zones: this.#zonesOf(server), isDead: this.dead.has(server.hostname) },
    ])
    return Object.fromEntries(states) as TreeState
  }

  #zonesOf({ hostname, address }: NamedServer): Zones {
    if (address === this.hoster.address) {
      const zones = [...this.hosted].map((each) => hostedZone(each[0], this.hoster, each[1]))
      return Object.assign({}, ...zones) as Zones
    }
    const topLevel = [...this.#topLevels].find(([, servers]) =>
      servers.some((each) => each.address === address),
    )
    if (topLevel === undefined) return rootZone(ROOTS, this.#topLevels)
    const known = new Map([...this.delegations, ...(this.differing.get(hostname) ?? [])])
    return topLevelZone(...topLevel, known)
  }
}

/** Starts the servers in a namespace, to which it adds their addresses. @param names top-level domains */
async function startDnsTree(
  namespace: Namespace,
  names: readonly [string, ...string[]] = ['example', 'test'],
): Promise<DnsTree> {
  const contents = new TreeContents(names)
  const { hoster, delegations, differing, hosted, dead, servers } = contents
  for (const { address } of servers) await addAddress(namespace, 'lo', `${address}/32`)
  const running = runServers(namespace)
  /** Makes a change take effect. */
  const after = (change: () => unknown) => {
    change()
    return running.apply(contents.state())
  }
  await running.apply(contents.state())
  return {
    rootServers: ROOTS.map(({ address }) => address).join(','),
    rootHints: ROOTS.map(
      ({ hostname, address }) => `. 3600 NS ${hostname}.\n${hostname}. 3600 A ${address}\n`,
    ).join(''),
    hoster,
    registrar: {
      delegate: (domain, delegation) => after(() => delegations.set(domain, delegation)),
      remove: (domain) => after(() => delegations.delete(domain)),
    },
    differ: (hostname, domain, delegation) =>
      after(() => {
        const own = new Map(differing.get(hostname))
        if (delegation === undefined) own.delete(domain)
        else own.set(domain, delegation)
        differing.set(hostname, own)
      }),
    host: (domain, records) => after(() => hosted.set(domain, records)),
    setDead: (hostname, isDead) =>
      after(() => (isDead ? dead.add(hostname) : dead.delete(hostname))),
    stop: () => running.stop(),
  }
}

const registryServers = (name: string, index: number): NamedServer[] =>
  ['a', 'b'].map((letter, place) => ({
    hostname: `${letter}.nic.${name}`,
    address: `10.99.1.${2 * index + place + 1}`,
  }))

function runServers(namespace: Namespace) {
  const [program, words] = namespace.within(process.execPath, SERVER)
  const child = spawn(program, words, { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  let last: Promise<void> = Promise.resolve()
  const send = async (state: TreeState) => {
    child.stdin.write(`${JSON.stringify(state)}\n`)
    const { done } = await lines.next()
    if (done) throw new Error('The servers of the DNS tree have ended.')
  }
  return {
    apply: (state: TreeState) => (last = last.then(() => send(state))),
    async stop() {
      if (child.exitCode !== null) return
      const gone = once(child, 'exit')
      child.stdin.end()
      await gone
    },
  }
}

/** Two connected namespaces: the Internet with a DNS tree, and the machine of the service with two addresses. */
export interface DnsWorld {
  readonly internet: Namespace
  readonly service: Namespace
  readonly tree: DnsTree
  /** Addresses of the service's machine, for two name servers. */
  readonly serviceAddresses: readonly [string, string]
  close(): Promise<void>
}

/** Creates the namespaces and starts the tree. Requires root. */
export async function createDnsWorld(names?: readonly [string, ...string[]]): Promise<DnsWorld> {
  const [internet, service] = await Promise.all([createNamespace(), createNamespace()])
  const serviceAddresses = ['10.99.8.1', '10.99.8.2'] as const
  await connect(
    { namespace: internet, interface: 'service', addresses: ['10.99.9.1/16'] },
    {
      namespace: service,
      interface: 'internet',
      addresses: serviceAddresses.map((address) => `${address}/16`),
    },
  )
  const tree = await startDnsTree(internet, names)
  return {
    internet,
    service,
    tree,
    serviceAddresses,
    async close() {
      await tree.stop()
      await Promise.all([internet.release(), service.release()])
    },
  }
}
