/**
 * The environment, parsed once. `docs/reference/environment.md` describes each variable. An invalid
 * variable stops the start with a one-line message.
 */
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseEnv } from 'node:util'

/** Every variable that the daemon reads. The supervisor of `npm start` passes only these. */
export const DNSD_VARIABLES = [
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
] as const

type Variable = (typeof DNSD_VARIABLES)[number]
export type Environment = Readonly<Partial<Record<Variable, string | undefined>>>

/** EX_CONFIG of sysexits.h: the exit code when an invalid environment stops the start. */
export const EXIT_CONFIG = 78

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
const UDP_TRANSPORTS = ['dgram', 'batch', 'auto'] as const
const LOG_FORMATS = ['pretty', 'json'] as const
// More than the number of cores of any machine that this would run on. Each worker costs a few megabytes.
const MAX_WORKERS = 256

export interface Config {
  /** The folder of the snapshot and the log; an absolute path. */
  readonly folder: string
  /** Returns the URL of the database that publishes the feed, as currently known, or undefined. */
  readonly databaseUrl: () => string | undefined
  /** Addresses to answer on, IPv4 and IPv6. */
  readonly hosts: readonly string[]
  readonly port: number
  /** Threads that answer over UDP. */
  readonly workers: number
  /** How packets reach those threads. `auto` uses batches where they are available. */
  readonly udpTransport: (typeof UDP_TRANSPORTS)[number]
  /** Whether response rate limiting by client network is on. */
  readonly limitsRates: boolean
  /** Whether queries are counted, and shown to those who watch. */
  readonly countsQueries: boolean
  /** Undefined: no metrics are served. */
  readonly metricsPort: number | undefined
  /** The settings file, an absolute path; undefined when it is not set. */
  readonly settingsFile: string | undefined
  readonly logLevel: (typeof LOG_LEVELS)[number]
  readonly logFormat: (typeof LOG_FORMATS)[number]
}

/**
 * An invalid variable, which stops the start. The message is one line: the name, the value, and the
 * accepted values.
 */
export class ConfigError extends Error {
  constructor(variable: string, held: string | undefined, takes: string) {
    const shown = held === undefined ? 'is not set' : `is ${JSON.stringify(held.slice(0, 100))}`
    super(`${variable} ${shown}; it takes ${takes}`)
    this.name = 'ConfigError'
  }
}

/**
 * Loads the configuration.
 *
 * @param environment by default the process environment, which overrides `.env` in the project's root
 * @throws ConfigError at the first invalid variable
 */
export function loadConfig(environment: Environment = processEnvironment()): Config {
  const read = readerOf(environment)
  const dataDir = resolve(ROOT, read('DATA_DIR', 'a folder', (text) => text) ?? '.data')
  const takesPort = 'a port from 1 to 65535'
  return Object.freeze({
    folder: join(dataDir, 'dnsd'),
    databaseUrl: databaseUrl(environment, dataDir),
    hosts: read('DNS_HOST', 'a comma list of IPv4 and IPv6 addresses', addresses) ?? ['127.0.0.1'],
    port: read('DNS_PORT', takesPort, port) ?? 8053,
    workers: read('DNS_WORKERS', `a number from 1 to ${MAX_WORKERS}`, workers) ?? cores(),
    udpTransport:
      read('DNS_UDP_TRANSPORT', UDP_TRANSPORTS.join(', '), oneOf(UDP_TRANSPORTS)) ?? 'auto',
    limitsRates: isOn('RATE_LIMITS', environment, read),
    countsQueries: isOn('QUERY_COUNTS', environment, read),
    metricsPort: read('DNS_METRICS_PORT', takesPort, port),
    settingsFile: read('DNS_SETTINGS', 'the path of a YAML file', (text) => resolve(ROOT, text)),
    logLevel: read('LOG_LEVEL', LOG_LEVELS.join(', '), oneOf(LOG_LEVELS)) ?? 'info',
    logFormat:
      read('LOG_FORMAT', 'pretty or json', oneOf(LOG_FORMATS)) ??
      (process.stderr.isTTY ? 'pretty' : 'json'),
  })
}

/**
 * Returns the daemon's variables, from the process environment or else from `.env` in a folder. The other
 * lines of `.env` are dropped, so that this process does not keep the secrets of other processes.
 */
export function processEnvironment(folder = ROOT): Environment {
  const file = textOf(join(folder, '.env'))
  const all = { ...(file === undefined ? {} : parseEnv(file)), ...process.env }
  return Object.fromEntries(DNSD_VARIABLES.map((name) => [name, all[name]]))
}

type Parse<T> = (text: string) => T | undefined
type Read = <T>(name: Variable, takes: string, parse: Parse<T>) => T | undefined

/** Returns undefined for a variable that is unset or empty: `NAME=` in a file means unset. */
function readerOf(environment: Environment): Read {
  return (name, takes, parse) => {
    const text = environment[name]?.trim() ?? ''
    if (text === '') return undefined
    const value = parse(text)
    if (value === undefined) throw new ConfigError(name, text, takes)
    return value
  }
}

/**
 * `make run` writes the address of its PostgreSQL to a file, which may appear after this process starts.
 */
function databaseUrl(environment: Environment, dataDir: string): () => string | undefined {
  for (const name of ['DNSD_DATABASE_URL', 'DATABASE_URL'] as const) {
    const text = environment[name]?.trim() ?? ''
    if (text === '') continue
    if (!/^postgres(?:ql)?:$/.test(URL.parse(text)?.protocol ?? '')) {
      // The value may contain a password.
      const held = `(${text.length} characters, not shown)`
      throw new ConfigError(
        name,
        held,
        'a URL such as postgresql://user:password@host:5432/database',
      )
    }
    return () => text
  }
  const file = join(dataDir, 'run', 'database-url')
  return () => {
    const text = textOf(file)?.trim()
    return text === '' ? undefined : text
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function addresses(text: string): readonly string[] | undefined {
  const all = text.split(',').map((each) => each.trim())
  // Some calls treat a zone ID (`%eth0`) as part of the address and others do not.
  const known = all.every((each) => isIP(each) !== 0 && !each.includes('%'))
  return known ? [...new Set(all)] : undefined
}

function port(text: string): number | undefined {
  const number = /^\d{1,5}$/.test(text) ? Number(text) : 0
  return number >= 1 && number <= 65_535 ? number : undefined
}

function workers(text: string): number | undefined {
  const number = /^\d{1,3}$/.test(text) ? Number(text) : 0
  return number >= 1 && number <= MAX_WORKERS ? number : undefined
}

/**
 * The number of threads that can run in parallel. In a container it can be lower than the machine's number
 * of cores.
 */
function cores(): number {
  return Math.min(availableParallelism(), MAX_WORKERS)
}

// Without rate limits, anyone can use this server to flood a third party; without counts, accounts see no queries.
// Only tests and measurements turn them off.
function isOn(
  variable: 'RATE_LIMITS' | 'QUERY_COUNTS',
  environment: Environment,
  read: Read,
): boolean {
  const takes = 'on or off'
  const text = read(variable, takes, oneOf(['on', 'off'])) ?? 'on'
  if (text === 'off' && environment['NODE_ENV'] === 'production') {
    throw new ConfigError(variable, text, 'no such value with NODE_ENV=production')
  }
  return text === 'on'
}

function oneOf<const T extends string>(words: readonly T[]): Parse<T> {
  return (text) => words.find((word) => word === text)
}
