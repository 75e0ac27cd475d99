/* What the settings come to, once they are read. Plain values, so that they can be given to other threads. */
import type { TsigKey } from '../wire/tsig-key.ts'
import type { Network } from './network.ts'

/** Limits of answers over UDP by the network that they go to. */
export interface RateLimitSettings {
  readonly responsesPerSecond: number
  /** Every so many suppressed answers one goes out with TC instead; 0 for none. */
  readonly slip: number
  readonly ipv4PrefixBits: number
  readonly ipv6PrefixBits: number
  readonly exempt: readonly Network[]
}

export interface TcpSettings {
  readonly maxConnections: number
  readonly maxPerNetwork: number
  readonly idleSeconds: number
  readonly messageSeconds: number
}

/** Who may have a zone: who signs with the key and comes from the networks, as far as each is given. */
export interface TransferGrant {
  readonly key: TsigKey | undefined
  readonly networks: readonly Network[] | undefined
}

/** A server that is told when a zone changes (RFC 1996). */
export interface Secondary {
  readonly address: string
  readonly port: number
  /** What the message is signed with, if it is. */
  readonly key: TsigKey | undefined
}

export interface TransferRule {
  /** `nameKey` of each origin. */
  readonly zones: 'every' | ReadonlySet<string>
  readonly allow: readonly TransferGrant[]
  readonly notify: readonly Secondary[]
}

export interface Settings {
  /** What `id.server`, `hostname.bind` and NSID are answered with (RFC 4892, RFC 5001); undefined: nothing. */
  readonly identity: string | undefined
  /** What `version.bind` is answered with. */
  readonly version: string | undefined
  /** Secrets of server cookies, the newer first (RFC 9018 §5); none: a random one. */
  readonly cookieSecrets: readonly Buffer[]
  readonly rateLimit: RateLimitSettings
  readonly tcp: TcpSettings
  /** By `nameKey` of their names. */
  readonly keys: ReadonlyMap<string, TsigKey>
  /** The first one that names a zone, or every zone, counts for it. */
  readonly transfers: readonly TransferRule[]
  /** The catalog zone (RFC 9432), by its name in wire form; undefined for none. */
  readonly catalog: Buffer | undefined
}

/** What an absent file means. */
export const DEFAULT_SETTINGS: Settings = Object.freeze({
  identity: undefined,
  version: undefined,
  cookieSecrets: [],
  rateLimit: {
    responsesPerSecond: 20,
    slip: 2,
    ipv4PrefixBits: 24,
    ipv6PrefixBits: 56,
    exempt: [],
  },
  tcp: { maxConnections: 1000, maxPerNetwork: 500, idleSeconds: 15, messageSeconds: 10 },
  keys: new Map(),
  transfers: [],
  catalog: undefined,
})
