/**
 * The door to checks of propagation: what the name servers of a zone answer for a domain.
 *
 * Only addresses of `NAMESERVERS` are asked. The operator set them, so no user decides where a query goes. Secondaries that
 * `DNS_SETTINGS` alone names are unknown here: that file has the secrets of the daemon, and resolvers do not ask them.
 */
import type { ApiConfig } from '../config/api.ts'
import { Asker, type AskerOptions } from '../delegation/asker.ts'
import { canonicalAddress } from '../delegation/read-cut.ts'
import { Turns } from '../delegation/turns.ts'
import { nameServersOf } from '../monitoring/probes/probe-dns.ts'
import { askServer } from './ask-server.ts'
import {
  type CheckedServer,
  type Expected,
  PropagationChecksBusy,
  type Verdict,
  type ZoneServer,
} from './types.ts'

type ChecksConfig = Pick<ApiConfig, 'nameservers' | 'dnsHosts' | 'dnsPort'>

/** A check has three sockets open for each address. */
const CHECKS_AT_ONCE = 16
const CHECKS_WAITING = 64
const TIME_LIMIT_MS = 4_500
const DNS_PORT = 53
const QUERY_LIMIT = 500

/** How a check ended. `busy`: too many were waiting. `failed`: the check itself failed. */
export type PropagationOutcome = 'current' | 'not-current' | 'busy' | 'failed'

/** What a test replaces. */
interface Replaced extends Pick<AskerOptions, 'ask'> {
  /** How long to wait before each repeated question to a server that is not current. */
  readonly repeatAfterMs?: readonly number[]
}

export class PropagationChecks {
  readonly #ports: ReadonlyMap<string, number>
  readonly #turns = new Turns({ atOnce: CHECKS_AT_ONCE, waiting: CHECKS_WAITING })
  readonly #replaced: Replaced
  /** How many checks of this process ended how, for the metrics. */
  readonly outcomes = new Map<PropagationOutcome, number>()

  constructor(config: ChecksConfig, replaced: Replaced = {}) {
    const servers = nameServersOf(config)
    this.#ports = new Map(servers.map(({ address, port }) => [canonicalAddress(address), port]))
    this.#replaced = replaced
  }

  /**
   * Asks all servers at once. Never throws for what servers do. Takes 4.5 seconds at most, after the wait for its turn.
   *
   * @throws PropagationChecksBusy when too many checks wait already
   */
  async check(servers: readonly ZoneServer[], expected: Expected): Promise<CheckedServer[]> {
    try {
      const checked = await this.#turns.run(
        () => this.#askAll(servers, expected),
        () => new PropagationChecksBusy(),
      )
      this.#count(isCurrent(checked) ? 'current' : 'not-current')
      return checked
    } catch (error) {
      this.#count(error instanceof PropagationChecksBusy ? 'busy' : 'failed')
      throw error
    }
  }

  async #askAll(servers: readonly ZoneServer[], expected: Expected): Promise<CheckedServer[]> {
    const { ask, repeatAfterMs } = this.#replaced
    const asker = new Asker({
      signal: AbortSignal.timeout(TIME_LIMIT_MS),
      objectionTo: (address) => (this.#ports.has(address) ? undefined : UNKNOWN_ADDRESS),
      portOf: (address) => this.#ports.get(address) ?? DNS_PORT,
      queryLimit: QUERY_LIMIT,
      ...(ask === undefined ? {} : { ask }),
    })
    // Two names can have one address.
    const verdicts = new Map<string, Promise<Verdict>>()
    const verdictOn = async (address: string): Promise<Verdict> => {
      const verdict = verdicts.get(address) ?? askServer(asker, address, expected, repeatAfterMs)
      verdicts.set(address, verdict)
      return verdict
    }
    const checked = await Promise.all(
      servers.map(async ({ hostname, address }): Promise<CheckedServer> => {
        if (address === null) return { hostname, address, ...WITHOUT_ADDRESS }
        const asked = canonicalAddress(address)
        return { hostname, address: asked, ...(await verdictOn(asked)) }
      }),
    )
    return asker.hasIpv6 ? checked : checked.map(withoutIpv6)
  }

  #count(outcome: PropagationOutcome): void {
    this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1)
  }
}

const UNKNOWN_ADDRESS =
  'was not asked, because its address is not one of the service’s name servers'

const NOT_CHECKED = {
  state: 'not-checked',
  serial: null,
  addresses: [],
  hasPublished: null,
  roundTripMs: null,
} as const

const WITHOUT_ADDRESS: Verdict = {
  ...NOT_CHECKED,
  message: 'It was not asked, because the service does not know its address.',
}

/** Where no server answers over IPv6, this machine has perhaps no IPv6, and silence says nothing about a server. */
const withoutIpv6 = (server: CheckedServer): CheckedServer =>
  server.address?.includes(':') === true && server.state === 'unreachable'
    ? {
        ...server,
        ...NOT_CHECKED,
        message: 'It could not be asked, because this service reaches no name server over IPv6.',
      }
    : server

/** Whether every server that could be asked is current. */
export function isCurrent(servers: readonly CheckedServer[]): boolean {
  const asked = servers.filter(({ state }) => state !== 'not-checked')
  return asked.length > 0 && asked.every(({ state }) => state === 'current')
}
