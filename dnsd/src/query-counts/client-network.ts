/* The network of a client, /24 or /48, as two words. */
import { ipv4ToText, ipv6ToText } from '../names/index.ts'

/** A client's address as numbers; IPv4 is in the first word. */
export interface CountedAddress {
  readonly family: 4 | 6
  readonly words: Int32Array
}

// /24 and /48: the longest prefixes that are commonly routed, and enough to find the country.
const IPV4_NETWORK = 0xffff_ff00 | 0
const IPV6_SECOND_WORD = 0xffff_0000 | 0
// In the second word of a network, which is 0 for IPv4.
const IPV6_MARK = 1

/** The first word of the network. */
export function firstWord({ family, words }: CountedAddress): number {
  return family === 4 ? (words[0] as number) & IPV4_NETWORK : (words[0] as number)
}

/** The second word: 0 for IPv4. */
export function secondWord({ family, words }: CountedAddress): number {
  return family === 4 ? 0 : ((words[1] as number) & IPV6_SECOND_WORD) | IPV6_MARK
}

/** Without the seed, an attacker cannot forge sources whose hashes collide. A collision costs at most PROBES probes. */
export function networkHash(seed: number, first: number, second: number): number {
  let hash = Math.imul(seed ^ first, 0x9e3779b1)
  hash = Math.imul(hash ^ (hash >>> 15) ^ second, 0x85ebca6b)
  return hash ^ (hash >>> 13)
}

/** A network of two words as CIDR. */
export function networkToText(first: number, second: number): string {
  const octets = Buffer.alloc(16)
  octets.writeInt32BE(first, 0)
  if (second === 0) return `${ipv4ToText(octets.subarray(0, 4))}/24`
  octets.writeUInt16BE(second >>> 16, 4)
  return `${ipv6ToText(octets)}/48`
}
