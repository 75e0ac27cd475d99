/** The door to walks: how many run at once in this process, and where they may go. */
import { networkInterfaces } from 'node:os'
import type { ApiConfig } from '../config/api.ts'
import { nameServersOf } from '../monitoring/probes/probe-dns.ts'
import { addressSet, requirePublic } from '../integrations/outgoing-http/address-check.ts'
import { walkDelegation, type WalkRules } from './check.ts'
import { canonicalAddress } from './read-cut.ts'
import { Turns } from './turns.ts'
import { type DelegationChecks, DelegationChecksBusy } from './types.ts'

type ChecksConfig = Pick<
  ApiConfig,
  | 'rootServers'
  | 'allowsPrivateTargets'
  | 'nameservers'
  | 'dnsHosts'
  | 'dnsPort'
  | 'host'
  | 'forwardHost'
  | 'forwardAddresses'
>

/** A walk has up to 60 sockets open. */
const WALKS_AT_ONCE = 8
const WALKS_WAITING = 32
const DNS_PORT = 53

/** @param replaced rules that a test replaces */
export function delegationChecksOf(
  config: ChecksConfig,
  replaced: Partial<WalkRules> = {},
): DelegationChecks {
  const turns = new Turns({ atOnce: WALKS_AT_ONCE, waiting: WALKS_WAITING })
  const rules = { ...walkRules(config), ...replaced }
  return {
    check: (request) =>
      turns.run(
        () => walkDelegation(request, rules),
        () => new DelegationChecksBusy(),
        request.signal,
      ),
  }
}

/** Where walks may go according to the configuration. */
export function walkRules(config: ChecksConfig): WalkRules {
  const { rootServers, nameservers } = config
  const servers = nameServersOf(config)
  const ports = new Map(servers.map(({ address, port }) => [canonicalAddress(address), port]))
  const port = rootServers[0]?.port ?? DNS_PORT
  const roots = new Map(rootServers.map((each) => [each.address, each.port]))
  return {
    roots: rootServers,
    ours: {
      names: new Set(nameservers.map(({ hostname }) => hostname)),
      addresses: new Set(ports.keys()),
    },
    objectionTo: objections(config, new Set(ports.keys())),
    portOf: (address) => roots.get(address) ?? ports.get(address) ?? port,
  }
}

/**
 * Users choose delegations, and so the addresses that a walk asks: it asks public addresses only, and none of this
 * service except its name servers.
 */
function objections(
  { allowsPrivateTargets, dnsHosts, host, forwardHost, forwardAddresses }: ChecksConfig,
  nameServers: ReadonlySet<string>,
): WalkRules['objectionTo'] {
  const configured = [...dnsHosts, host, forwardHost, ...forwardAddresses]
  return (address) => {
    if (nameServers.has(address) || allowsPrivateTargets) return undefined
    try {
      requirePublic(address)
    } catch {
      return 'has an address that is not public, so it was not asked'
    }
    const own = addressSet([...configured, ...machineAddresses()])
    return own.has(address) ? 'has an address of this service, so it was not asked' : undefined
  }
}

const machineAddresses = () =>
  Object.values(networkInterfaces()).flatMap((each) => (each ?? []).map(({ address }) => address))
