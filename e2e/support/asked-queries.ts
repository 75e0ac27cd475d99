/** A ledger of DNS queries: `dig` sends them from several networks, and each answer is written down. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** A question, and the domain for which its query counts. */
export interface Question {
  readonly name: string
  readonly type: string
  /** Undefined: the query counts for no domain of the test. */
  readonly domain: string | undefined
}

/** Where a query comes from. */
export interface Client {
  /** An address of loopback. */
  readonly address: string
  readonly country: string
  /** The autonomous system, as text. */
  readonly network: string
}

export interface Asked {
  readonly domain: string
  readonly type: string
  readonly rcode: string
  readonly transport: string
  readonly family: string
  readonly country: string
  readonly network: string
}

export type Field = Exclude<keyof Asked, 'domain'>

const ANSWERED = /status: (\w+), id: \d+\n;; flags: [a-z ]+; QUERY: 1, ANSWER: (\d+),/g

/** Types without a name of their own are counted together. */
const countedType = (type: string) => (type.startsWith('TYPE') ? 'other' : type)

/** `NODATA` is an answer without records to a name that exists. */
const rcodeOf = (status: string, answers: string) =>
  status === 'NOERROR' && answers === '0' ? 'NODATA' : status

export class QueryLedger {
  readonly #rows: Asked[] = []

  /** The queries for domains of the test. */
  get rows(): readonly Asked[] {
    return this.#rows
  }

  /**
   * Sends each question once.
   *
   * @throws Error when one of them gets no answer
   */
  async ask(
    port: number,
    { address, country, network }: Client,
    transport: 'udp' | 'tcp',
    questions: readonly Question[],
  ): Promise<void> {
    const family = address.includes(':') ? 'ipv6' : 'ipv4'
    const server = family === 'ipv6' ? '::1' : '127.0.0.1'
    const { stdout } = await promisify(execFile)('dig', [
      `@${server}`,
      '-p',
      String(port),
      '-b',
      address,
      '+tries=1',
      '+noall',
      '+comments',
      ...questions.flatMap(({ name, type }) => [
        name,
        type,
        transport === 'tcp' ? '+tcp' : '+notcp',
      ]),
    ])
    const answers = [...stdout.matchAll(ANSWERED)]
    if (answers.length !== questions.length) throw new Error(`unanswered queries:\n${stdout}`)
    for (const [n, { domain, type }] of questions.entries()) {
      if (domain === undefined) continue
      const [, status = '', count = ''] = answers[n] ?? []
      const rcode = rcodeOf(status, count)
      const row = { rcode, transport, family, country, network }
      this.#rows.push({ ...row, domain, type: countedType(type) })
    }
  }

  /** The number of queries by each value of a field, of one domain or of all. */
  by(field: Field, domain?: string): Record<string, number> {
    const counts: Record<string, number> = {}
    for (const row of this.#rows) {
      if (domain !== undefined && row.domain !== domain) continue
      counts[row[field]] = (counts[row[field]] ?? 0) + 1
    }
    return counts
  }

  /** The number of queries for a domain. */
  of(domain: string): number {
    return this.#rows.filter((row) => row.domain === domain).length
  }
}
