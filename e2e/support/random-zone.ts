/** A zone file with random records, which are added, changed and deleted at random. */
import { byForm } from '../../test/test-form.ts'
import { oneOf } from './random.ts'

const NAMES = byForm({ short: 1_000, long: 4_000 })

type Chance = () => number

const whole = (random: Chance, limit: number) => Math.floor(random() * limit)
const octet = (random: Chance) => whole(random, 256)

const KINDS: readonly ((random: Chance) => string[])[] = [
  (random) => times(random, () => `A 10.${octet(random)}.${octet(random)}.${octet(random)}`),
  (random) =>
    times(
      random,
      () => `AAAA 2001:db8::${octet(random).toString(16)}:${octet(random).toString(16)}`,
    ),
  (random) => times(random, () => `TXT "chance ${whole(random, 1_000_000)}" "and \\"more\\""`),
  (random) => [`MX ${whole(random, 100)} mail${whole(random, 50)}`],
  (random) => [`SRV 0 ${whole(random, 100)} ${whole(random, 65_536)} host${whole(random, 50)}`],
  (random) => [`CAA 0 issue "ca${whole(random, 50)}.example"`],
  (random) => [`TYPE65534 \\# 3 0102${octet(random).toString(16).padStart(2, '0')}`],
]

function times(random: Chance, make: () => string): string[] {
  return [...new Set(Array.from({ length: 1 + whole(random, 3) }, make))]
}

/** Owner names with several levels, wildcards and mixed letter case. */
function ownerAt(index: number): string {
  if (index % 50 === 0) return `*.w${index}`
  if (index % 7 === 0) return `deep.er.r${index}`
  return index % 11 === 0 ? `_srv._tcp.r${index}` : `r${index}`
}

function recordsOf(random: Chance, owner: string): string[] {
  const ttl = oneOf(random, [60, 300, 3600])
  if (random() < 0.05) return [`${owner} ${ttl} IN CNAME r${whole(random, NAMES)}`]
  const kinds = new Set([oneOf(random, KINDS), ...(random() < 0.3 ? [oneOf(random, KINDS)] : [])])
  return [...kinds].flatMap((kind) => kind(random)).map((record) => `${owner} ${ttl} IN ${record}`)
}

/** A zone whose names are added, deleted and changed at random. */
export class RandomZone {
  readonly #random: Chance
  readonly #names = new Map<string, string[]>()

  constructor(random: Chance) {
    this.#random = random
  }

  /** Changes this many names. Each of them differs afterwards. */
  change(count: number): void {
    const random = this.#random
    const owners = new Set<string>()
    while (owners.size < count) owners.add(ownerAt(whole(random, NAMES)))
    for (const owner of owners) {
      if (this.#names.has(owner) && random() < 0.3) {
        this.#names.delete(owner)
        continue
      }
      const before = this.#names.get(owner)?.join('\n')
      let records = recordsOf(random, owner)
      while (records.join('\n') === before) records = recordsOf(random, owner)
      this.#names.set(owner, records)
    }
  }

  /** The zone as a master file, without SOA and NS, which do not change. */
  get text(): string {
    return `${[...this.#names.values()].flat().join('\n')}\n`
  }
}
