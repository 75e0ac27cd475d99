import { BlockList, isIP } from 'node:net'

/** Addresses with a common prefix (RFC 4632 §3.1, RFC 4291 §2.3). */
export interface Network {
  readonly address: string
  readonly prefixBits: number
}

/** A network as `192.0.2.0/24`, or one address; undefined for anything else. */
export function networkFromText(text: string): Network | undefined {
  const [address = '', prefix, more] = text.split('/')
  const family = address.includes('%') ? 0 : isIP(address)
  if (family === 0 || more !== undefined) return undefined
  const mostBits = family === 4 ? 32 : 128
  if (prefix === undefined) return { address, prefixBits: mostBits }
  const prefixBits = /^\d{1,3}$/.test(prefix) ? Number(prefix) : Infinity
  return prefixBits <= mostBits ? { address, prefixBits } : undefined
}

/** Returns a function that tells whether an address, as a socket gives it, is in one of the networks. */
export function memberOf(networks: readonly Network[]): (address: string) => boolean {
  // A single list would match an IPv4 address by its mapped IPv6 address: all of them are in `::/0`.
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() }
  for (const { address, prefixBits } of networks) {
    const family = familyOf(address)
    lists[family].addSubnet(address, prefixBits, family)
  }
  return (address) => {
    const [plain = ''] = address.split('%')
    const family = familyOf(plain)
    return lists[family].check(plain, family)
  }
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6'
}
