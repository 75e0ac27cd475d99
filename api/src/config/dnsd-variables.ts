/**
 * The variables that the DNS daemon reads. Its loader is `dnsd/src/config.ts`, which the API must
 * not import; `test/environment.test.ts` compares the two.
 */
export const DNSD_VARIABLES: readonly string[] = [
  'NODE_ENV',
  'DATA_DIR',
  'DATABASE_URL',
  'DNSD_DATABASE_URL',
  'DNS_HOST',
  'DNS_PORT',
  'DNS_WORKERS',
  'DNS_UDP_TRANSPORT',
  'DNS_METRICS_PORT',
  'DNS_SETTINGS',
  'RATE_LIMITS',
  'QUERY_COUNTS',
  'LOG_LEVEL',
  'LOG_FORMAT',
]
