/** Where metrics are served and who can read them, and the data for locating callers. */
import { configGroup } from './config-loader.ts'
import * as parse from './parsers.ts'

const MMDB = 'a readable file in MaxMind’s format'

export const metricsToken = configGroup(['METRICS_TOKEN'], (variables) => ({
  metricsToken: variables.secret('METRICS_TOKEN', 'at least 16 characters', parse.textFrom(16)),
}))

export const workerMetrics = configGroup(['WORKER_METRICS_PORT'], (variables) => ({
  /** Undefined: metrics are not served. */
  workerMetricsPort: variables.optional('WORKER_METRICS_PORT', parse.PORT, parse.port),
}))

export const forwarderMetrics = configGroup(['FORWARD_METRICS_PORT'], (variables) => ({
  /** Undefined: metrics are not served. */
  forwardMetricsPort: variables.optional('FORWARD_METRICS_PORT', parse.PORT, parse.port),
}))

export const countries = configGroup(['GEOIP_COUNTRY_MMDB'], (variables) => ({
  /** Undefined: the data that ships with the packages. */
  countryMmdb: variables.optional('GEOIP_COUNTRY_MMDB', MMDB, parse.readableFile),
}))

export const autonomousSystems = configGroup(['GEOIP_ASN_MMDB'], (variables) => ({
  /** Undefined: the data that ships with the packages. */
  asnMmdb: variables.optional('GEOIP_ASN_MMDB', MMDB, parse.readableFile),
}))
