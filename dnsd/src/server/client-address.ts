import { isIPv4 } from 'node:net'
import { ipv6FromText } from '../names/index.ts'
import type { Network } from '../settings/network.ts'

const DOT = 0x2e
const COLON = 0x3a
const PERCENT = 0x25
const GROUPS = 8

/** A network in the form that addresses are compared with. */
export interface NetworkWords {
  readonly family: 4 | 6
  readonly words: Int32Array
  readonly prefixBits: number
}

/**
 * An address as numbers, read into the same object each time, because per-packet code must not
 * allocate. IPv4 is in the first word.
 */
export class ClientAddress {
  family: 4 | 6 = 4
  readonly words = new Int32Array(4)
  readonly #groups = new Uint16Array(GROUPS)

  /** @param text an address as the runtime formats it; it is not validated again */
  readText(text: string): void {
    for (let at = 0; at < text.length && at < 5; at++) {
      if (text.charCodeAt(at) === COLON) {
        this.#readIpv6(text)
        return
      }
    }
    const { words } = this
    this.family = 4
    words[0] = ipv4At(text, 0)
    words[1] = 0
    words[2] = 0
    words[3] = 0
  }

  /** @param octets contains the four or sixteen octets of an address, as a packet does */
  readOctets(octets: Uint8Array, at: number, length: 4 | 16): void {
    const { words } = this
    const isIpv4 = length === 4
    this.family = isIpv4 ? 4 : 6
    // Unrolled: `fill` and a loop would take longer than all other work on the address.
    words[0] = wordAt(octets, at)
    words[1] = isIpv4 ? 0 : wordAt(octets, at + 4)
    words[2] = isIpv4 ? 0 : wordAt(octets, at + 8)
    words[3] = isIpv4 ? 0 : wordAt(octets, at + 12)
  }

  /** @param into gets four or sixteen octets, by the family */
  writeOctets(into: Uint8Array): void {
    for (let at = 0; at < into.length; at++) {
      into[at] = (this.words[at >> 2] ?? 0) >>> (24 - 8 * (at & 3))
    }
  }

  /** The first or second word of the address, masked to the network prefix. */
  prefixWord(index: 0 | 1, prefixBits: number): number {
    return (this.words[index] ?? 0) & maskOf(prefixBits - 32 * index)
  }

  isIn({ family, words, prefixBits }: NetworkWords): boolean {
    if (family !== this.family) return false
    for (let index = 0; index < 4; index++) {
      const mask = maskOf(prefixBits - 32 * index)
      if ((((this.words[index] ?? 0) ^ (words[index] ?? 0)) & mask) !== 0) return false
    }
    return true
  }

  // Groups before `::` count from the left, groups after it from the right. An IPv4 address at the
  // end counts as two groups. A scope (`%eth0`) ends the address.
  #readIpv6(text: string): void {
    const groups = this.#groups
    groups.fill(0)
    let count = 0
    let gapAt = -1
    for (let at = 0; at < text.length && count < GROUPS;) {
      const start = at
      let group = 0
      for (; at < text.length && text.charCodeAt(at) !== COLON; at++) {
        const code = text.charCodeAt(at)
        if (code === PERCENT) break
        if (code === DOT) {
          const ipv4 = ipv4At(text, start)
          groups[count++] = ipv4 >>> 16
          group = ipv4 & 0xffff
          at = text.length
          break
        }
        group = (group << 4) | hexDigit(code)
      }
      if (at > start) groups[count++] = group
      if (text.charCodeAt(at) === PERCENT) break
      at++
      if (text.charCodeAt(at) === COLON) {
        gapAt = count
        at++
      }
    }
    if (gapAt !== -1 && count < GROUPS) {
      groups.copyWithin(GROUPS - (count - gapAt), gapAt, count)
      groups.fill(0, gapAt, GROUPS - (count - gapAt))
    }
    this.family = 6
    for (let word = 0; word < 4; word++) {
      this.words[word] = ((groups[2 * word] ?? 0) << 16) | (groups[2 * word + 1] ?? 0)
    }
  }
}

/** Converts a network to the form that addresses are compared with. */
export function networkWords({ address, prefixBits }: Network): NetworkWords {
  const reader = new ClientAddress()
  if (isIPv4(address)) reader.readText(address)
  else reader.readOctets(ipv6FromText(address), 0, 16)
  return { family: reader.family, words: Int32Array.from(reader.words), prefixBits }
}

function wordAt(octets: Uint8Array, at: number): number {
  return (
    ((octets[at] ?? 0) << 24) |
    ((octets[at + 1] ?? 0) << 16) |
    ((octets[at + 2] ?? 0) << 8) |
    (octets[at + 3] ?? 0)
  )
}

function maskOf(bits: number): number {
  if (bits >= 32) return -1
  return bits <= 0 ? 0 : -1 << (32 - bits)
}

function ipv4At(text: string, start: number): number {
  let address = 0
  let octet = 0
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === DOT) {
      address = (address << 8) | octet
      octet = 0
    } else {
      octet = octet * 10 + (code - 0x30)
    }
  }
  return (address << 8) | octet
}

// Digits are 0x30 to 0x39; letters end in 1 to 6 in either case.
function hexDigit(code: number): number {
  return code < 0x40 ? code & 0xf : (code & 0xf) + 9
}
