/*
 * The accepted values of each section of the settings. The defaults are in `shape.ts`, beside the
 * types.
 */
import { isIP } from 'node:net'
import { NAME_LIMIT_OCTETS, nameFromText, nameKey, ROOT_NAME } from '../names/index.ts'
import { TSIG_ALGORITHMS, type TsigKey } from '../wire/tsig-key.ts'
import { type Network, networkFromText } from './network.ts'
import type { Place } from './place.ts'
import type {
  RateLimitSettings,
  Secondary,
  TcpSettings,
  TransferGrant,
  TransferRule,
} from './shape.ts'

const A_NAME = 'a domain name'
const A_NETWORK = 'a network such as 192.0.2.0/24 or 2001:db8::/32, or an address'
const MOST_SECONDS = 86_400

// RFC 9018 §4.2: the secret of SipHash-2-4 has 128 bits.
const COOKIE_SECRET = /^[0-9a-f]{32}$/i
// A key shorter than this can be guessed; generators of TSIG keys make 32 octets and more.
const LEAST_SECRET_BYTES = 16

/** Text of at most 255 octets, which is what one string of a TXT record holds (RFC 1035 §3.3). */
export function shortText(place: Place | undefined): string | undefined {
  return place?.text('a text of 1 to 255 octets', (text) => {
    const bytes = Buffer.byteLength(text)
    return bytes >= 1 && bytes <= 255 ? text : undefined
  })
}

/** A domain name in wire form. The dot at its end may be left out. */
function domainName(place: Place): Buffer {
  return place.text(A_NAME, (text) => (text === '' ? undefined : nameFromText(text, ROOT_NAME)))
}

/** The secrets of DNS Cookies (RFC 7873), the newer one first. @throws SettingsError */
export function cookieSecrets(place: Place | undefined): readonly Buffer[] {
  const takes = 'one secret of 32 hexadecimal digits or two, the newer one first'
  const secrets = place?.fields(['secrets'])('secrets')?.items(takes) ?? []
  secrets[2]?.fail('cookies.secrets has more than two secrets')
  return secrets.map((secret) =>
    secret.secret(takes, (hex) => (COOKIE_SECRET.test(hex) ? Buffer.from(hex, 'hex') : undefined)),
  )
}

/** The response rate limit. @throws SettingsError */
export function rateLimit(
  place: Place | undefined,
  defaults: RateLimitSettings,
): RateLimitSettings {
  const field = place?.fields([
    'responses_per_second',
    'slip',
    'ipv4_prefix',
    'ipv6_prefix',
    'exempt',
  ])
  return {
    responsesPerSecond:
      field?.('responses_per_second')?.integer(1, 10_000) ?? defaults.responsesPerSecond,
    slip: field?.('slip')?.integer(0, 100) ?? defaults.slip,
    ipv4PrefixBits: field?.('ipv4_prefix')?.integer(8, 32) ?? defaults.ipv4PrefixBits,
    ipv6PrefixBits: field?.('ipv6_prefix')?.integer(16, 64) ?? defaults.ipv6PrefixBits,
    exempt: networks(field?.('exempt')) ?? defaults.exempt,
  }
}

/** The limits of TCP connections. @throws SettingsError */
export function tcp(place: Place | undefined, defaults: TcpSettings): TcpSettings {
  const field = place?.fields([
    'max_connections',
    'max_per_network',
    'idle_seconds',
    'message_seconds',
  ])
  return {
    maxConnections: field?.('max_connections')?.integer(1, 1_000_000) ?? defaults.maxConnections,
    maxPerNetwork: field?.('max_per_network')?.integer(1, 1_000_000) ?? defaults.maxPerNetwork,
    idleSeconds: field?.('idle_seconds')?.integer(1, MOST_SECONDS) ?? defaults.idleSeconds,
    messageSeconds: field?.('message_seconds')?.integer(1, MOST_SECONDS) ?? defaults.messageSeconds,
  }
}

/** The keys by `nameKey` of their names. */
export function keys(place: Place | undefined): ReadonlyMap<string, TsigKey> {
  const all = new Map<string, TsigKey>()
  for (const [text, key] of place?.entries('a mapping of keys by their names') ?? []) {
    const name = keyName(text) ?? key.fail(`${key.path}: the name of a key is ${A_NAME}`)
    const field = key.fields(['algorithm', 'secret'])
    const takes = TSIG_ALGORITHMS.join(', ')
    const algorithm =
      field('algorithm')?.text(takes, (one) => TSIG_ALGORITHMS.find((known) => known === one)) ??
      key.fail(`${key.path} has no algorithm; it takes ${takes}`)
    const secret = field('secret') ?? key.fail(`${key.path} has no secret`)
    if (all.has(nameKey(name))) key.fail(`${key.path} occurs twice`)
    all.set(nameKey(name), {
      name,
      algorithm,
      secret: secret.secret(`base64 of at least ${LEAST_SECRET_BYTES} octets`, octetsOfSecret),
    })
  }
  return all
}

function keyName(text: string): Buffer | undefined {
  try {
    return nameFromText(text, ROOT_NAME)
  } catch {
    return undefined
  }
}

// The decoder silently skips invalid base64 characters, which would give another secret.
function octetsOfSecret(base64: string): Buffer | undefined {
  const octets = Buffer.from(base64, 'base64')
  const isWhole = octets.toString('base64') === base64
  return isWhole && octets.length >= LEAST_SECRET_BYTES ? octets : undefined
}

function networks(place: Place | undefined): readonly Network[] | undefined {
  return place
    ?.items(`a list, each ${A_NETWORK}`)
    .map((one) => one.text(A_NETWORK, networkFromText))
}

type Keys = ReadonlyMap<string, TsigKey>

/** Which zones are transferred to whom (RFC 5936), and who is notified. @throws SettingsError */
export function transfers(place: Place | undefined, known: Keys): readonly TransferRule[] {
  return (place?.items('a list of rules') ?? []).map((rule) => {
    const field = rule.fields(['zones', 'allow', 'notify'])
    const zones = field('zones')?.items('a list of zones, or "*" for every zone')
    return {
      zones: zoneKeys(zones ?? rule.fail(`${rule.path} has no zones`)),
      allow: (field('allow')?.items('a list of grants') ?? []).map((one) => grant(one, known)),
      notify: (field('notify')?.items('a list of servers') ?? []).map((one) =>
        secondary(one, known),
      ),
    }
  })
}

function zoneKeys(zones: readonly Place[]): TransferRule['zones'] {
  const isAny = zones.some((zone) => zone.text(A_NAME, (text) => text) === '*')
  return isAny ? 'every' : new Set(zones.map((zone) => nameKey(domainName(zone))))
}

function grant(place: Place, known: Keys): TransferGrant {
  const field = place.fields(['key', 'networks'])
  const key = keyNamed(field('key'), known)
  const from = networks(field('networks'))
  // An empty grant would let anyone transfer the zone, which is never intended.
  if (key === undefined && from === undefined)
    place.fail(`${place.path} takes a key, networks, or both`)
  return { key, networks: from }
}

function secondary(place: Place, known: Keys): Secondary {
  const field = place.fields(['address', 'port', 'key'])
  const takes = 'an IPv4 or IPv6 address'
  const address = field('address') ?? place.fail(`${place.path} has no address`)
  return {
    address: address.text(takes, (text) =>
      isIP(text) !== 0 && !text.includes('%') ? text : undefined,
    ),
    port: field('port')?.integer(1, 65_535) ?? 53,
    key: keyNamed(field('key'), known),
  }
}

function keyNamed(place: Place | undefined, known: Keys): TsigKey | undefined {
  return place?.text('the name of one of the keys', (text) => {
    const name = keyName(text)
    return name === undefined ? undefined : known.get(nameKey(name))
  })
}

// Each zone has a name below the catalog's: a label of 32 octets, and the label `zones`.
const CATALOG_LIMIT_OCTETS = NAME_LIMIT_OCTETS - 33 - 6

/** The name of the catalog zone. */
export function catalog(place: Place | undefined): Buffer | undefined {
  if (place === undefined) return undefined
  const field = place.fields(['name'])('name') ?? place.fail(`${place.path} has no name`)
  const name = domainName(field)
  if (name.length <= CATALOG_LIMIT_OCTETS) return name
  return field.fail(`${field.path} has more than ${CATALOG_LIMIT_OCTETS} octets`)
}
