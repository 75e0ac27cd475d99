/** The provider's zones and name servers, and the addresses of the DNS daemon. */
import { ConfigError } from './config-error.ts'
import { configGroup } from './config-loader.ts'
import * as parse from './parsers.ts'
import { isProduction } from './process-settings.ts'
import type { Variables } from './variables.ts'

const NAMES = 'a comma-separated list of domain names such as example.net'
const DEVELOPMENT_ZONE = 'homing.test'

export const providerZones = configGroup(['NODE_ENV', 'ZONES'], (variables) => {
  const zones = variables.optional('ZONES', NAMES, parse.listOf(parse.hostname))
  if (zones === undefined && isProduction(variables)) {
    throw new ConfigError('ZONES', undefined, `${NAMES} with NODE_ENV=production`)
  }
  /** Never empty. */
  return { zones: zones ?? [DEVELOPMENT_ZONE] }
})

/**
 * The zone from which the default names of name servers, mail addresses and the administrator
 * derive.
 */
export function firstZone(variables: Variables<'NODE_ENV' | 'ZONES'>): string {
  return providerZones.read(variables).zones[0] ?? DEVELOPMENT_ZONE
}

export const nameServers = configGroup(['NODE_ENV', 'ZONES', 'NAMESERVERS'], (variables) => {
  const takes = 'a comma-separated list of hostname/IPv4 or hostname/IPv4/IPv6'
  const zone = firstZone(variables)
  return {
    nameservers: variables.value('NAMESERVERS', takes, parse.listOf(parse.nameserver), [
      { hostname: `ns1.${zone}`, ipv4: '127.0.0.1' },
      { hostname: `ns2.${zone}`, ipv4: '127.0.0.1' },
    ]),
  }
})

/**
 * The addresses of the DNS daemon, for the supervisor and the API. The daemon reads the same variables itself.
 */
export const dnsAddress = configGroup(['DNS_HOST', 'DNS_PORT'], (variables) => {
  const takes = 'a comma-separated list of IPv4 and IPv6 addresses'
  return {
    dnsHosts: variables.value('DNS_HOST', takes, parse.listOf(parse.ipAddress), ['127.0.0.1']),
    dnsPort: variables.value('DNS_PORT', parse.PORT, parse.port, 8053),
  }
})
