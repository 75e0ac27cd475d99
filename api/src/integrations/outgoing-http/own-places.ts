/**
 * The host names and addresses of this service. A user must not reach the service through itself: a request from one of
 * its own machines would pass limits and lists that apply to other clients.
 */
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { ApiConfig } from '../../config/api.ts'
import type { ResolveAll } from '../outside-names.ts'
import { addressSet } from './address-check.ts'

/** How long resolved addresses are cached, and how long a failed look-up is not repeated. */
const KEPT_MS = 300_000
const FAILURE_KEPT_MS = 30_000

export interface OwnPlaces {
  /** Host names that no request may go to, whatever their addresses. */
  readonly names: readonly string[]
  /** Addresses in canonical form: those of the configuration, those of this machine, and those of the configured host names. */
  addresses(): Promise<ReadonlySet<string>>
}

/** The part of the configuration that says where the service is. */
export type PlacesConfig = Pick<
  ApiConfig,
  'host' | 'publicUrl' | 'dnsHosts' | 'forwardHost' | 'forwardAddresses' | 'nameservers'
>

export interface OwnPlacesOptions {
  /** Resolves the host of `PUBLIC_URL` as clients outside do. */
  readonly resolveOutside: ResolveAll
  /** Resolves `HOST` as listening on it does. */
  readonly resolveInside: ResolveAll
  /** A monotonic clock, in milliseconds. */
  readonly now?: () => number
  /** The addresses of this machine. */
  readonly machineAddresses?: () => readonly string[]
}

function interfaceAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .map(({ address }) => address)
}

/** A host without the brackets of a URL. */
const plainHost = (hostname: string) => hostname.replace(/^\[|\]$/g, '')

/** Caches the addresses of a host; when a look-up fails, the previous addresses stay. */
function remembered(hostname: string, resolveAll: ResolveAll, now: () => number) {
  if (isIP(plainHost(hostname)) !== 0) return async () => []
  let addresses: readonly string[] = []
  let dueAt = -Infinity
  let underWay: Promise<void> | undefined
  const refresh = async () => {
    try {
      addresses = (await resolveAll(hostname)).map(({ address }) => address)
      dueAt = now() + KEPT_MS
    } catch {
      dueAt = now() + FAILURE_KEPT_MS
    }
  }
  return async () => {
    if (now() >= dueAt) {
      underWay ??= refresh().finally(() => (underWay = undefined))
      await underWay
    }
    return addresses
  }
}

export function ownPlaces(config: PlacesConfig, options: OwnPlacesOptions): OwnPlaces {
  const {
    resolveOutside,
    resolveInside,
    machineAddresses = interfaceAddresses,
    now = () => performance.now(),
  } = options
  const { host, publicUrl, dnsHosts, forwardHost, forwardAddresses, nameservers } = config
  const configured = [
    host,
    plainHost(publicUrl.hostname),
    ...dnsHosts,
    forwardHost,
    ...forwardAddresses,
    ...nameservers.flatMap(({ ipv4, ipv6 }) => (ipv6 === undefined ? [ipv4] : [ipv4, ipv6])),
  ]
  const lookUps = [
    remembered(publicUrl.hostname, resolveOutside, now),
    remembered(host, resolveInside, now),
  ]
  return {
    names: [publicUrl.hostname, ...nameservers.map(({ hostname }) => hostname)],
    async addresses() {
      const lookedUp = await Promise.all(lookUps.map((lookUp) => lookUp()))
      return addressSet([...configured, ...machineAddresses(), ...lookedUp.flat()])
    },
  }
}
