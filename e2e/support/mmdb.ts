/**
 * Writes a file in MaxMind's format, for tests of where queries come from: the shipped data knows no network of this machine.
 *
 * The search tree has an IPv6 address as its path, with IPv4 in `::/96`. Each node has two records of 24 bits: the number of
 * a node, or the position of a value behind the tree.
 */
import { writeFileSync } from 'node:fs'

export type MmdbValue = string | number | { readonly [key: string]: MmdbValue }

const TYPE = { text: 2, uint32: 6, map: 7 } as const
/** Sizes from here on need more octets. */
const SIZE_LIMIT = 29
const NODE_OCTETS = 6
/** Zeros between the tree and the values. */
const GAP = Buffer.alloc(16)
const METADATA_MARK = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1')
const EMPTY = -1

function control(type: number, size: number): Buffer {
  return size < SIZE_LIMIT
    ? Buffer.from([(type << 5) | size])
    : Buffer.from([(type << 5) | SIZE_LIMIT, size - SIZE_LIMIT])
}

function encoded(value: MmdbValue): Buffer {
  if (typeof value === 'string') {
    return Buffer.concat([control(TYPE.text, Buffer.byteLength(value)), Buffer.from(value)])
  }
  if (typeof value === 'number') {
    const octets = Buffer.alloc(4)
    octets.writeUInt32BE(value)
    return Buffer.concat([control(TYPE.uint32, 4), octets])
  }
  const entries = Object.entries(value).flatMap(([key, each]) => [encoded(key), encoded(each)])
  return Buffer.concat([control(TYPE.map, entries.length / 2), ...entries])
}

/** The bits of a /24 network, from the top of an IPv6 address. */
function pathOf(network: string): number[] {
  const octets = network
    .replace(/\.0\/24$/, '')
    .split('.')
    .map(Number)
  const bits = octets.flatMap((octet) =>
    Array.from({ length: 8 }, (_, n) => (octet >> (7 - n)) & 1),
  )
  return [...Array<number>(96).fill(0), ...bits]
}

/** @param values by IPv4 network, such as `127.0.1.0/24`; all of them are /24 */
export function writeMmdb(file: string, values: Readonly<Record<string, MmdbValue>>): void {
  const nodes: [number, number][] = [[EMPTY, EMPTY]]
  const data: Buffer[] = []
  const leaves: { node: number; bit: number; offset: number }[] = []
  for (const [network, value] of Object.entries(values)) {
    const path = pathOf(network)
    const last = path.pop() ?? 0
    let at = 0
    for (const bit of path) {
      const node = nodes[at] as [number, number]
      if (node[bit] === EMPTY) node[bit] = nodes.push([EMPTY, EMPTY]) - 1
      at = node[bit] as number
    }
    leaves.push({ node: at, bit: last, offset: Buffer.concat(data).length })
    data.push(encoded(value))
  }
  const count = nodes.length
  for (const { node, bit, offset } of leaves) {
    ;(nodes[node] as [number, number])[bit] = count + GAP.length + offset
  }
  const tree = Buffer.alloc(count * NODE_OCTETS)
  for (const [n, records] of nodes.entries()) {
    for (const [bit, record] of records.entries()) {
      tree.writeUIntBE(record === EMPTY ? count : record, n * NODE_OCTETS + bit * 3, 3)
    }
  }
  const metadata = {
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 0,
    database_type: 'test',
    description: {},
    ip_version: 6,
    node_count: count,
    record_size: 24,
  }
  writeFileSync(file, Buffer.concat([tree, GAP, ...data, METADATA_MARK, encoded(metadata)]))
}
