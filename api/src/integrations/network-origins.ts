/** The origins of networks: the country, and the autonomous system that announces them. */
import { createRequire } from 'node:module'
import ipaddr from 'ipaddr.js'
import { open, type Response } from 'maxmind'
import { AutonomousSystems } from './autonomous-systems.ts'

export interface NetworkOrigin {
  /** ISO 3166-1; ZZ when unknown. */
  readonly country: string
  /** 0 when unknown. */
  readonly asn: number
  /** The operator of the system; empty when unknown. */
  readonly organisation: string
}

export interface NetworkOrigins {
  /** @param network an address or a network in CIDR notation */
  originOf(network: string): NetworkOrigin
}

export interface OriginFiles {
  /** MaxMind's format; undefined for the data that ships with the packages. */
  readonly countryFile?: string | undefined
  readonly asnFile?: string | undefined
}

export const UNKNOWN_ORIGIN: NetworkOrigin = { country: 'ZZ', asn: 0, organisation: '' }
const COUNTRY_PACKAGE = '@ip-location-db/geo-whois-asn-country-mmdb'
const ASN_PACKAGE = '@ip-location-db/asn'

type Look<T> = (address: string) => T | undefined

/** Loads the data on first use; a failed load is retried at the next use. */
export function lazyNetworkOrigins(files: OriginFiles): () => Promise<NetworkOrigins> {
  let loaded: Promise<NetworkOrigins> | undefined
  return async () => {
    loaded ??= loadNetworkOrigins(files).catch((error: unknown) => {
      loaded = undefined
      throw error
    })
    return loaded
  }
}

/** The country of an address; null when unknown. */
export type CountryOf = (address: string) => Promise<string | null>

/**
 * Countries alone, for callers that do not need the rest: loading takes some milliseconds and
 * megabytes, on first use.
 *
 * @param onError is called when the file cannot be read; every country is unknown then
 */
export function lazyCountries(
  file: string | undefined,
  onError: (error: unknown) => void,
): CountryOf {
  let loaded: Promise<Look<string>> | undefined
  return async (address) => {
    if (!ipaddr.isValid(address)) return null
    loaded ??= countryLook(file).catch((error: unknown) => {
      onError(error)
      return () => undefined
    })
    return (await loaded)(address) ?? null
  }
}

/**
 * Reads the files, which takes a second and tens of megabytes.
 *
 * @throws Error when one of them cannot be read
 */
export async function loadNetworkOrigins(files: OriginFiles): Promise<NetworkOrigins> {
  const countryOf = await countryLook(files.countryFile)
  const systemOf = await systemLook(files.asnFile)
  return {
    originOf(network) {
      const [address = ''] = network.split('/', 1)
      if (!ipaddr.isValid(address)) return UNKNOWN_ORIGIN
      const { asn, organisation } = systemOf(address) ?? UNKNOWN_ORIGIN
      return { country: countryOf(address) ?? UNKNOWN_ORIGIN.country, asn, organisation }
    },
  }
}

async function countryLook(file: string | undefined): Promise<Look<string>> {
  const reader = await open<Response>(file ?? fileOf(COUNTRY_PACKAGE, 'geo-whois-asn-country.mmdb'))
  return (address) => {
    // Our file has only the code; MaxMind's has a country that contains it.
    const found = reader.get(address) as {
      country_code?: unknown
      country?: { iso_code?: unknown }
    } | null
    const code = found?.country_code ?? found?.country?.iso_code
    return typeof code === 'string' && /^[A-Z]{2}$/.test(code) ? code : undefined
  }
}

async function systemLook(
  file: string | undefined,
): Promise<Look<{ asn: number; organisation: string }>> {
  if (file === undefined) return shippedSystems()
  const reader = await open<Response>(file)
  return (address) => {
    const found = reader.get(address) as {
      autonomous_system_number?: unknown
      autonomous_system_organization?: unknown
    } | null
    const { autonomous_system_number: asn, autonomous_system_organization: name } = found ?? {}
    if (typeof asn !== 'number') return undefined
    return { asn, organisation: typeof name === 'string' ? name : '' }
  }
}

async function shippedSystems(): Promise<Look<{ asn: number; organisation: string }>> {
  const systems = await AutonomousSystems.read(
    fileOf(ASN_PACKAGE, 'asn-ipv4-num.csv'),
    fileOf(ASN_PACKAGE, 'asn-ipv6-num.csv'),
  )
  return (address) => {
    const octets = ipaddr.parse(address).toByteArray()
    const number = (from: number, to: number) =>
      octets.slice(from, to).reduce((sum, octet) => sum * 256 + octet, 0)
    if (octets.length === 4) return systems.ofIpv4(number(0, 4))
    return systems.ofIpv6((BigInt(number(0, 4)) << 32n) | BigInt(number(4, 8)))
  }
}

function fileOf(packageName: string, file: string): string {
  return createRequire(import.meta.url).resolve(`${packageName}/${file}`)
}
