/* The types of the parsed settings. They are plain values, so that they can be passed to other threads. */
import type { TsigKey } from '../wire/tsig-key.ts'
import type { Network } from './network.ts'

/** The rate limits of answers over UDP, by client network. */
export interface RateLimitSettings {
  readonly responsesPerSecond: number
  /** One of this many suppressed answers is sent with TC instead; 0 for none. */
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

/**
 * Who may transfer a zone: clients that sign with the key and come from the networks, as far as each is given.
 */
export interface TransferGrant {
  readonly key: TsigKey | undefined
  readonly networks: readonly Network[] | undefined
}

/** A server that is notified when a zone changes (RFC 1996). */
export interface Secondary {
  readonly address: string
  readonly port: number
  /** The key that signs the message, if any. */
  readonly key: TsigKey | undefined
}

export interface TransferRule {
  /** `nameKey` of each apex. */
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
  /** The first rule that names a zone, or every zone, applies to it. */
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
