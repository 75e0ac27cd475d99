/** Where the API listens, and how its users reach it. */
import { ConfigError } from './config-error.ts'
import { configGroup } from './config-loader.ts'
import * as parse from './parsers.ts'
import { isProduction } from './process-settings.ts'

const ORIGIN = 'an http or https URL without a path, such as https://dns.example.net'

export const listening = configGroup(['HOST', 'PORT'], (variables) => ({
  host: variables.value('HOST', `${parse.ADDRESS}, or a host name`, parse.listenHost, '127.0.0.1'),
  port: variables.value('PORT', parse.PORT, parse.port, 8080),
}))

export const publicAddress = configGroup(
  ['NODE_ENV', 'PORT', 'PUBLIC_URL', 'ALLOW_HTTP'],
  (variables) => {
    const given = variables.optional('PUBLIC_URL', ORIGIN, parse.origin)
    const allowsHttp = variables.optional('ALLOW_HTTP', '1, or no value', parse.oneOf('1')) === '1'
    // Without https, passwords and session cookies cross the network unencrypted.
    const isSafe = given?.protocol === 'https:' || (given !== undefined && allowsHttp)
    if (!isSafe && isProduction(variables)) {
      const takes = 'an https URL with NODE_ENV=production; ALLOW_HTTP=1 permits http'
      throw new ConfigError('PUBLIC_URL', given?.origin, takes)
    }
    const port = variables.value('PORT', parse.PORT, parse.port, 8080)
    return { publicUrl: given ?? new URL(`http://localhost:${port}`) }
  },
)

/** A warning for the log of each production start; undefined when `PUBLIC_URL` is https. */
export function plainHttpWarning(config: {
  readonly nodeEnv: string
  readonly publicUrl: URL
}): string | undefined {
  if (config.nodeEnv !== 'production' || config.publicUrl.protocol === 'https:') return undefined
  return 'ALLOW_HTTP=1: passwords and session cookies are sent unencrypted; use an https PUBLIC_URL'
}

export const allowedHosts = configGroup(['ALLOWED_HOSTS'], (variables) => ({
  /** More hosts under which browsers can use the service, as `hostOfAuthority` returns them. */
  allowedHosts: variables.value('ALLOWED_HOSTS', parse.HOSTS, parse.listOf(parse.webHost), []),
}))

export const trustedProxies = configGroup(['TRUST_PROXY'], (variables) => ({
  /** Addresses and networks whose `X-Forwarded-For` is trusted. */
  trustProxy: variables.value(
    'TRUST_PROXY',
    'a comma-separated list of addresses and networks such as 10.0.0.0/8',
    parse.listOf(parse.addressOrNetwork),
    [],
  ),
}))
