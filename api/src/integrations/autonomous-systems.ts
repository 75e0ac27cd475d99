/*
 * Finds the autonomous system that announces an address. The ranges come from two CSV files and are stored in
 * arrays of numbers, because half a million objects would take a hundred megabytes.
 *
 * For IPv6 the upper 64 bits decide: no prefix longer than /64 is announced.
 */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createInterface } from 'node:readline'

export interface AutonomousSystem {
  readonly asn: number
  readonly organisation: string
}

/** Sorted ranges that do not overlap. */
interface Ranges<T extends Uint32Array | BigUint64Array> {
  readonly starts: T
  readonly ends: T
  readonly asns: Uint32Array
}

const IPV6_LOWER_BITS = 64n
/** In characters. A file with shorter lines would have more lines than the arrays have places. */
const SHORTEST_LINE = 6

export class AutonomousSystems {
  readonly #ipv4: Ranges<Uint32Array>
  readonly #ipv6: Ranges<BigUint64Array>
  readonly #organisations: ReadonlyMap<number, string>

  private constructor(
    ipv4: Ranges<Uint32Array>,
    ipv6: Ranges<BigUint64Array>,
    organisations: ReadonlyMap<number, string>,
  ) {
    this.#ipv4 = ipv4
    this.#ipv6 = ipv6
    this.#organisations = organisations
  }

  /**
   * Reads CSV files with lines of first address, last address, AS number and organisation, with addresses
   * as numbers.
   *
   * @throws the system's error when a file cannot be read
   */
  static async read(ipv4File: string, ipv6File: string): Promise<AutonomousSystems> {
    const organisations = new Map<number, string>()
    const upper = (text: string) => BigInt(text) >> IPV6_LOWER_BITS
    return new AutonomousSystems(
      await readRanges(ipv4File, (lines) => new Uint32Array(lines), Number, organisations),
      await readRanges(ipv6File, (lines) => new BigUint64Array(lines), upper, organisations),
      organisations,
    )
  }

  /** @param address as a number */
  ofIpv4(address: number): AutonomousSystem | undefined {
    return this.#named(find(this.#ipv4, address))
  }

  /** @param upper the address's upper 64 bits */
  ofIpv6(upper: bigint): AutonomousSystem | undefined {
    return this.#named(find(this.#ipv6, upper))
  }

  #named(asn: number | undefined): AutonomousSystem | undefined {
    return asn === undefined ? undefined : { asn, organisation: this.#organisations.get(asn) ?? '' }
  }
}

async function readRanges<T extends Uint32Array | BigUint64Array>(
  file: string,
  makeAddresses: (lines: number) => T,
  addressOf: (text: string) => T[number],
  organisations: Map<number, string>,
): Promise<Ranges<T>> {
  const most = Math.ceil((await stat(file)).size / SHORTEST_LINE)
  const [starts, ends, asns] = [makeAddresses(most), makeAddresses(most), new Uint32Array(most)]
  let count = 0
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const [start = '', end = '', number = ''] = line.split(',', 3)
    const asn = Number(number)
    if (!/^\d+$/.test(start) || !/^\d+$/.test(end) || !Number.isInteger(asn)) continue
    starts[count] = addressOf(start)
    ends[count] = addressOf(end)
    asns[count] = asn
    count += 1
    if (organisations.has(asn)) continue
    const name = line.slice(start.length + end.length + number.length + 3)
    organisations.set(asn, unquoted(name))
  }
  return {
    starts: starts.slice(0, count) as T,
    ends: ends.slice(0, count) as T,
    asns: asns.slice(0, count),
  }
}

// RFC 4180: within quotes a quote is doubled.
function unquoted(text: string): string {
  const plain = text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text
  // A copy, because a substring keeps the whole text in memory.
  return Buffer.from(plain).toString()
}

function find<T extends Uint32Array | BigUint64Array>(
  { starts, ends, asns }: Ranges<T>,
  address: T[number],
): number | undefined {
  let low = 0
  let high = starts.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((starts[middle] ?? address) <= address) low = middle + 1
    else high = middle
  }
  const end = ends[low - 1]
  return end !== undefined && address <= end ? asns[low - 1] : undefined
}
