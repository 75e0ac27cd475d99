/**
 * Reserved address ranges.
 *
 * Taken from the IANA IPv4 and IPv6 Special-Purpose Address Registries (RFC 6890, as updated), the
 * multicast ranges and RFC 4291. Blocks that those registries call globally reachable are listed in
 * `REACHABLE` where they are inside a block that is not.
 */
import ipaddr from 'ipaddr.js'

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number]

export interface SpecialBlock {
  /** The use of the block, for the user's message. */
  readonly purpose: string
  readonly ranges: readonly Range[]
}

const block = (purpose: string, ...networks: string[]): SpecialBlock => ({
  purpose,
  ranges: networks.map((network) => ipaddr.parseCIDR(network)),
})

/** A name can never point there: these are not addresses of a single host. */
export const NOT_UNICAST: readonly SpecialBlock[] = [
  block('the unspecified address', '0.0.0.0/8', '::/128'),
  block('a multicast address', '224.0.0.0/4', 'ff00::/8'),
  block('the broadcast address', '255.255.255.255/32'),
  // RFC 4291 §2.5.5: the client must give an IPv4-mapped address as an IPv4 address.
  block('an IPv4-mapped address; use the IPv4 address itself', '::ffff:0:0/96'),
]

/**
 * RFC 4291 §2.5.5.1, deprecated: `::a.b.c.d`. The loopback address is in the same range, but is not
 * deprecated.
 */
export const IPV4_COMPATIBLE = block('a deprecated IPv4-compatible address', '::/96')

/** Unicast, but not for the public Internet. */
export const NOT_PUBLIC: readonly SpecialBlock[] = [
  block('a loopback address', '127.0.0.0/8', '::1/128'),
  block('a private address (RFC 1918)', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'),
  block('a unique local address (RFC 4193)', 'fc00::/7'),
  block('a shared address of carrier-grade NAT (RFC 6598)', '100.64.0.0/10'),
  block('a link-local address', '169.254.0.0/16', 'fe80::/10'),
  block('a deprecated site-local address (RFC 3879)', 'fec0::/10'),
  block(
    'an address for documentation',
    '192.0.2.0/24',
    '198.51.100.0/24',
    '203.0.113.0/24',
    '2001:db8::/32',
    '3fff::/20',
  ),
  block('an address for benchmarking', '198.18.0.0/15', '2001:2::/48'),
  block('an address for protocol assignments', '192.0.0.0/24', '2001::/23'),
  block('an address of deprecated 6to4 relays (RFC 7526)', '192.88.99.0/24'),
  block('a 6to4 address, which stands for an IPv4 address', '2002::/16'),
  block('an address for IPv4/IPv6 translation', '64:ff9b::/96', '64:ff9b:1::/48'),
  block('a discard-only address (RFC 6666)', '100::/64', '100:0:0:1::/64'),
  block('an SRv6 segment identifier (RFC 9602)', '5f00::/16'),
  block('an address reserved for future use', '240.0.0.0/4'),
]

/** Parts of `192.0.0.0/24` and `2001::/23` that the registries call globally reachable. */
export const REACHABLE = block(
  'globally reachable',
  '192.0.0.9/32',
  '192.0.0.10/32',
  '2001:1::1/128',
  '2001:1::2/128',
  '2001:1::3/128',
  '2001:3::/32',
  '2001:4:112::/48',
  '2001:20::/28',
  '2001:30::/28',
)

/** RFC 4291 §2.4 and the IANA IPv6 Address Space registry: all global unicast addresses are assigned from this block. */
export const GLOBAL_UNICAST = block('a global unicast address', '2000::/3')

/** Whether an address is in a block; false when the block is of the other family. */
export function isIn(address: ipaddr.IPv4 | ipaddr.IPv6, { ranges }: SpecialBlock): boolean {
  return ranges.some(
    ([network, bits]) => network.kind() === address.kind() && address.match(network, bits),
  )
}

/**
 * The first octets that are not in any block. Most addresses begin with such an octet, so the check
 * needs to look at the first octet only.
 */
export function firstOctetsOutside(blocks: readonly SpecialBlock[]): ReadonlySet<number> {
  const networks = blocks
    .flatMap(({ ranges }) => ranges)
    .filter(([network]) => network.kind() === 'ipv4')
  const outside = new Set(Array.from({ length: 256 }, (_, octet) => octet))
  for (const [network, bits] of networks) {
    const [first = 0] = network.toByteArray()
    // A network that is larger than a /8 covers several first octets.
    const count = 2 ** Math.max(8 - bits, 0)
    for (let octet = first; octet < first + count; octet += 1) outside.delete(octet)
  }
  return outside
}
