/**
 * An update storm: many clients, each with its own names. A client sends the next
 * update for a name only when it knows the result of the previous one and, if that
 * was acknowledged, has it in its ledger.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Ledger, Update } from './ledger.ts'
import { oneOf, randomFrom } from './random.ts'
import { type Answer, updateClient } from './update-client.ts'

export interface Owner {
  readonly username: string
  readonly password: string
  readonly names: readonly string[]
}

export interface StormCounts {
  sent: number
  acknowledged: number
  /** Responses with 503: the update is not acknowledged, and the client tries again. */
  refused: number
  /** Connections that ended before the response. */
  broken: number
  /** The longest wait for a response, in milliseconds. */
  longestMs: number
  /** Invalid responses, and requests without a response within 30 s. */
  readonly wrong: string[]
}

export interface Storm {
  readonly counts: StormCounts
  /** The last update of each name, acknowledged or not. */
  readonly lastSent: ReadonlyMap<string, number>
  /** Ends the storm; resolves when the last request has its response. */
  end(): Promise<void>
}

export interface StormOptions {
  readonly url: string
  readonly owners: readonly Owner[]
  readonly ledger: Ledger
  readonly seed: number
  /** The number of concurrent requests. */
  readonly clients: number
}

/** The pause after a failure. Real clients wait for minutes. Requests to a service that is down test nothing new. */
const PAUSE_MS = 250

/** The addresses of an update. Each update has its own; every fourth name also gets IPv6. */
function addressesIn({ name, number }: Update): readonly [ipv4: string, ipv6?: string] {
  const octets = [number >> 16, number >> 8, number].map((each) => each & 0xff)
  const ipv4 = `10.${octets.join('.')}`
  if (!takesIpv6(name)) return [ipv4]
  const groups = octets.map((each) => (each + 1).toString(16))
  return [ipv4, `2001:db8:1:1:1:${groups.join(':')}`]
}

const takesIpv6 = (name: string) => Number(/\d+/.exec(name)?.[0] ?? 0) % 4 === 0

/** The number of the update with these addresses; undefined if they are not from one update. */
export function numberOf(
  name: string,
  ipv4: string | null | undefined,
  ipv6: string | null | undefined,
): number | undefined {
  const [ten, a = 0, b = 0, c = 0] = (ipv4 ?? '').split('.').map(Number)
  if (ten !== 10) return undefined
  const number = (a << 16) | (b << 8) | c
  const [, wanted] = addressesIn({ name, number })
  return (ipv6 ?? undefined) === wanted ? number : undefined
}

type Kind = 'acknowledged' | 'refused' | 'wrong'

function kindOf({ status, body, retryAfter }: Answer, myip: string): Kind {
  // `nochg` acknowledges as `good` does: a repeated update was stored the first time.
  if (status === 200 && (body === `good ${myip}\n` || body === `nochg ${myip}\n`)) {
    return 'acknowledged'
  }
  const isRefusal = status === 503 && /^(dnserr|911)\n$/.test(body) && Number(retryAfter) > 0
  return isRefusal ? 'refused' : 'wrong'
}

class RunningStorm implements Storm {
  readonly counts: StormCounts = {
    sent: 0,
    acknowledged: 0,
    refused: 0,
    broken: 0,
    longestMs: 0,
    wrong: [],
  }
  readonly lastSent = new Map<string, number>()
  readonly #options: StormOptions
  readonly #ending = new AbortController()
  readonly #random: () => number
  readonly #running: Promise<unknown>
  #lastNumber = 0

  constructor(options: StormOptions) {
    this.#options = options
    this.#random = randomFrom(options.seed)
    const total = options.owners.reduce((sum, { names }) => sum + names.length, 0)
    const running = options.owners.flatMap((owner) => {
      const clients = Math.ceil((options.clients * owner.names.length) / total)
      const shares = Array.from({ length: clients }, (_, n) =>
        owner.names.filter((_name, at) => at % clients === n),
      )
      return shares.filter((names) => names.length > 0).map((names) => this.#run(owner, names))
    })
    this.#running = Promise.all(running)
  }

  async end(): Promise<void> {
    this.#ending.abort()
    await this.#running
  }

  async #run(owner: Owner, names: readonly string[]): Promise<void> {
    const client = updateClient(this.#options.url, owner)
    let again: Update | undefined
    while (!this.#ending.signal.aborted) {
      const update = again ?? { name: oneOf(this.#random, names), number: (this.#lastNumber += 1) }
      const isKnown = await this.#send(client, update)
      // Half of the failed updates are sent again; the others are replaced by a newer one.
      again = !isKnown && this.#random() < 0.5 ? update : undefined
      if (!isKnown) await delay(PAUSE_MS)
    }
    client.close()
  }

  /** @returns whether the update was acknowledged */
  async #send(client: ReturnType<typeof updateClient>, update: Update): Promise<boolean> {
    const { counts, lastSent } = this
    const myip = addressesIn(update).join(',')
    counts.sent += 1
    lastSent.set(update.name, update.number)
    const beganMs = performance.now()
    let answer: Answer
    try {
      answer = await client.update(update.name, myip)
      counts.longestMs = Math.max(counts.longestMs, performance.now() - beganMs)
    } catch (error) {
      if ((error as Error).name === 'AbortError') counts.wrong.push(`no answer for ${update.name}`)
      else counts.broken += 1
      return false
    }
    const kind = kindOf(answer, myip)
    if (kind === 'wrong') counts.wrong.push(`${answer.status} ${JSON.stringify(answer.body)}`)
    if (kind === 'refused') counts.refused += 1
    if (kind !== 'acknowledged') return false
    await this.#options.ledger.acknowledge(update)
    counts.acknowledged += 1
    return true
  }
}

/** Starts a storm. */
export function startStorm(options: StormOptions): Storm {
  return new RunningStorm(options)
}
