/** How the service is watched: where its callers are, its counts, and its log. */
import * as parse from './parsers.ts'
import type { Variables } from './variables.ts'

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** @throws ConfigError at the first variable that is wrong */
export function watchingOf(variables: Variables) {
  const mmdb = 'a file in MaxMind’s format that can be read'
  return {
    countryMmdb: variables.optional('GEOIP_COUNTRY_MMDB', mmdb, parse.readableFile),
    asnMmdb: variables.optional('GEOIP_ASN_MMDB', mmdb, parse.readableFile),
    metricsToken: variables.secret('METRICS_TOKEN', 'at least 16 characters', parse.textFrom(16)),
    workerMetricsPort: variables.optional('WORKER_METRICS_PORT', parse.PORT, parse.port),
    forwardMetricsPort: variables.optional('FORWARD_METRICS_PORT', parse.PORT, parse.port),
    logLevel: variables.value<LogLevel>(
      'LOG_LEVEL',
      LOG_LEVELS.join(', '),
      parse.oneOf(...LOG_LEVELS),
      'info',
    ),
    logFormat: variables.value<'pretty' | 'json'>(
      'LOG_FORMAT',
      'pretty or json',
      parse.oneOf('pretty', 'json'),
      process.stderr.isTTY ? 'pretty' : 'json',
    ),
  }
}
