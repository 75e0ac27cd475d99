/**
 * The zone and the queries of every DNS benchmark: 80 % addresses that exist, 10 % names that do not exist,
 * 5 % names without the queried type, 5 % names below a wildcard.
 */
import { createWriteStream, writeFileSync } from 'node:fs'
import { once } from 'node:events'

export const ZONE = 'bench.test'
/** Too many for an answer cache to hold all of them. */
const QUESTIONS = 200_000
/** The number of lines per write. */
const LINES_A_WRITE = 10_000

export type Kind = 'address' | 'nxdomain' | 'nodata' | 'wildcard'

export interface Question {
  readonly name: string
  readonly type: 'A' | 'AAAA'
  readonly kind: Kind
  /** The address in the answer; undefined when there is no address. */
  readonly address: string | undefined
}

const WILDCARD_ADDRESS = '192.0.2.99'
const hostLabel = (n: number) => `host${String(n).padStart(6, '0')}`
const hostAddress = (n: number) => `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`

export interface MixRecord {
  /** Without the root dot. */
  readonly name: string
  readonly type: string
  readonly content: string
}

const SOA = `ns1.${ZONE}. hostmaster.${ZONE}. 1 3600 600 86400 300`

/** All records of the zone with `names` hosts. */
export function* recordsOf(names: number): Generator<MixRecord> {
  yield { name: ZONE, type: 'SOA', content: SOA }
  yield { name: ZONE, type: 'NS', content: `ns1.${ZONE}.` }
  yield { name: ZONE, type: 'NS', content: `ns2.${ZONE}.` }
  yield { name: `ns1.${ZONE}`, type: 'A', content: '192.0.2.53' }
  yield { name: `ns2.${ZONE}`, type: 'A', content: '192.0.2.54' }
  yield { name: `*.wild.${ZONE}`, type: 'A', content: WILDCARD_ADDRESS }
  for (let n = 0; n < names; n += 1) {
    yield { name: `${hostLabel(n)}.${ZONE}`, type: 'A', content: hostAddress(n) }
  }
}

/** Writes the zone with `names` hosts as a master file (RFC 1035 §5.1). */
export async function writeZone(file: string, names: number): Promise<void> {
  const out = createWriteStream(file)
  out.write('$TTL 300\n')
  let lines: string[] = []
  for (const { name, type, content } of recordsOf(names)) {
    if (lines.push(`${name}. ${type} ${content}\n`) < LINES_A_WRITE) continue
    if (!out.write(lines.join(''))) await once(out, 'drain')
    lines = []
  }
  out.end(lines.join(''))
  await once(out, 'finish')
}

/** Reproducible random numbers: xorshift (Marsaglia, 2003), 32 bits. */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % below
  }
}

/** Queries in the shares of the mix. Each kind is evenly distributed. */
export function* questionsOf(names: number, count = QUESTIONS): Generator<Question> {
  const random = numbers(0x9e3779b9)
  for (let n = 0; n < count; n += 1) {
    const turn = n % 20
    const host = random(names)
    if (turn < 16) {
      const address = hostAddress(host)
      yield { name: `${hostLabel(host)}.${ZONE}`, type: 'A', kind: 'address', address }
    } else if (turn < 18) {
      const name = `none${random(1e9)}.${ZONE}`
      yield { name, type: 'A', kind: 'nxdomain', address: undefined }
    } else if (turn < 19) {
      const name = `${hostLabel(host)}.${ZONE}`
      yield { name, type: 'AAAA', kind: 'nodata', address: undefined }
    } else {
      const name = `w${random(1e9)}.wild.${ZONE}`
      yield { name, type: 'A', kind: 'wildcard', address: WILDCARD_ADDRESS }
    }
  }
}

/** Writes queries for the address of each host once, in random order. */
export function writeEachOnce(file: string, names: number): void {
  const random = numbers(0x2545f491)
  const hosts = Uint32Array.from({ length: names }, (_, n) => n)
  for (let n = names - 1; n > 0; n -= 1) {
    const other = random(n + 1)
    const [one, two] = [hosts[n] ?? 0, hosts[other] ?? 0]
    hosts[n] = two
    hosts[other] = one
  }
  writeFileSync(file, Array.from(hosts, (n) => `${hostLabel(n)}.${ZONE} A\n`).join(''))
}

/** Writes the queries in the format of dnsperf. */
export function writeQuestions(file: string, names: number): void {
  const lines: string[] = []
  for (const { name, type } of questionsOf(names)) lines.push(`${name} ${type}\n`)
  writeFileSync(file, lines.join(''))
}
