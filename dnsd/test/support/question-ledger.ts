/*
 * Questions over real sockets, and a ledger of them: what the counts in the database must add up to. The ledger knows
 * the counted name of each question beforehand, and the outcome from the response.
 */
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv4 } from 'node:net'
import { type Read, read } from './ask.ts'
import { requestOctets, type RequestOptions } from './request-octets.ts'
import { TcpClient } from './tcp-client.ts'

/** A question, and what it counts for. */
export interface LedgerQuestion {
  readonly qname: string
  readonly qtype: string
  readonly kind: 'name' | 'nxdomain'
  readonly name: string | null
  readonly options?: RequestOptions
}

/** A client: an address, a transport and the port of a daemon. */
export interface LedgerClient {
  /** The client's network as the counts have it. */
  readonly network: string
  readonly family: 'ipv4' | 'ipv6'
  readonly transport: 'udp' | 'tcp'
  ask(packet: Buffer): Promise<Read>
  close(): void
}

/** Types with a value of their own in the counts. */
export const COUNTED_TYPES = [
  'A',
  'AAAA',
  'TXT',
  'MX',
  'NS',
  'SOA',
  'CAA',
  'SRV',
  'HTTPS',
  'SVCB',
  'PTR',
  'DS',
  'DNSKEY',
  'ANY',
]

function networkOf(address: string): string {
  return isIPv4(address) ? address.replace(/\.\d+$/, '.0/24') : '::/48'
}

/** @param address a loopback address to ask from */
export async function udpClient(port: number, address: string): Promise<LedgerClient> {
  const family = isIPv4(address) ? 'ipv4' : 'ipv6'
  const host = family === 'ipv4' ? '127.0.0.1' : '::1'
  const socket: Socket = createSocket(family === 'ipv4' ? 'udp4' : 'udp6')
  socket.bind(0, address)
  await once(socket, 'listening')
  const waiting = new Map<number, (reply: Read) => void>()
  socket.on('message', (octets) => {
    const reply = read(octets)
    waiting.get(reply.id)?.(reply)
    waiting.delete(reply.id)
  })
  return {
    network: networkOf(address),
    family,
    transport: 'udp',
    ask: async (packet) =>
      new Promise((resolve) => {
        waiting.set(packet.readUInt16BE(0), resolve)
        socket.send(packet, port, host)
      }),
    close: () => socket.close(),
  }
}

/** @param address a loopback address to ask from */
export async function tcpClient(port: number, address: string): Promise<LedgerClient> {
  const family = isIPv4(address) ? 'ipv4' : 'ipv6'
  const client = await TcpClient.open(port, family === 'ipv4' ? '127.0.0.1' : '::1', address)
  // Answers come in the order of the questions.
  let last: Promise<unknown> = Promise.resolve()
  return {
    network: networkOf(address),
    family,
    transport: 'tcp',
    async ask(packet) {
      const reply = last.then(() => client.ask(packet))
      last = reply
      const received = await reply
      if (received === undefined) throw new Error('the server closed the connection')
      return received
    },
    close: () => client.socket.destroy(),
  }
}

export class QuestionLedger {
  readonly #zone: string
  readonly #counts = new Map<string, number>()
  readonly #facets = new Map<string, number>()
  #id = 0
  asked = 0

  constructor(zone: string) {
    this.#zone = zone
  }

  /** Asks once, without a repetition, and enters the question and its outcome. */
  async ask(client: LedgerClient, question: LedgerQuestion): Promise<void> {
    const { qname, qtype, kind, name, options } = question
    this.#id = (this.#id + 1) & 0xffff
    const reply = await client.ask(requestOctets(qname, qtype, { ...options, id: this.#id }))
    this.asked += 1
    // Queries for missing names of the whole zone have no network.
    add(this.#counts, [kind, name, name === null ? null : client.network])
    const type = COUNTED_TYPES.includes(qtype) ? qtype : 'other'
    add(this.#facets, [name, 'type', type])
    add(this.#facets, [name, 'rcode', outcomeOf(reply)])
    add(this.#facets, [name, 'transport', client.transport])
    add(this.#facets, [name, 'family', client.family])
  }

  /** Lines of kind, name, network and number, as `COUNTS_OF` reads them from the database. */
  get counts(): string[] {
    return linesOf(this.#counts)
  }

  /** Lines of name, dimension, value and number, as `FACETS_OF` reads them. */
  get facets(): string[] {
    return linesOf(this.#facets)
  }

  get zone(): string {
    return this.#zone
  }
}

/** The counts of zone $1 in the database, as lines of the ledger. */
export const COUNTS_OF = `
  select concat_ws(' ', kind, coalesce(name, '-'), coalesce(network::text, '-'), sum(queries)) as line
  from query_counts where zone = $1 group by kind, name, network`
export const FACETS_OF = `
  select concat_ws(' ', coalesce(name, '-'), dimension, value, sum(counted)) as line
  from query_facets cross join unnest(queries) with ordinality as c(counted, place) join query_facet_values using (place)
  where zone = $1 and counted > 0 group by name, dimension, value`

function outcomeOf({ rcode, answer, flags }: Read): string {
  if (rcode === 'NXDOMAIN') return 'NXDOMAIN'
  if (rcode !== 'NOERROR') return 'other'
  return answer.length > 0 || flags.includes('tc') ? 'NOERROR' : 'NODATA'
}

function add(sums: Map<string, number>, key: readonly (string | null)[]): void {
  const text = key.map((each) => each ?? '-').join(' ')
  sums.set(text, (sums.get(text) ?? 0) + 1)
}

function linesOf(sums: ReadonlyMap<string, number>): string[] {
  return [...sums].map(([key, count]) => `${key} ${count}`).toSorted()
}
