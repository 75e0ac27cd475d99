/**
 * The environment, parsed once. What each variable means is in
 * `docs/reference/environment.md`; what cannot be understood stops the start
 * with one line, because a service that guesses serves the wrong names.
 */
import { resolve } from 'node:path'
import type { CaptchaConfig } from './config/captcha.ts'
import { ConfigError } from './config/config-error.ts'
import * as parse from './config/parsers.ts'
import { rulesOf } from './config/rules.ts'
import { keptSecretKey } from './config/secret-key.ts'
import { type Environment, processEnvironment, ROOT, Variables } from './config/variables.ts'
import { type LogLevel, watchingOf } from './config/watching.ts'
import { type Administrator, zonesOf } from './config/zones.ts'
import type { WordList } from './domain/word-list.ts'

export { ConfigError } from './config/config-error.ts'

/** EX_CONFIG of sysexits.h: the exit code of a start that the environment stopped. */
export const EXIT_CONFIG = 78

const ADDRESS = 'an IPv4 or IPv6 address'
const POSTGRES_URL = 'a URL such as postgresql://user:password@host:5432/database'
const SECRET_KEY_LIMIT_CHARACTERS = 32

export interface Config {
  readonly nodeEnv: 'development' | 'production' | 'test'
  /** Absolute. */
  readonly dataDir: string
  /** Undefined: the embedded PostgreSQL in `dataDir`. */
  readonly databaseUrl: string | undefined
  readonly dnsdDatabaseUrl: string | undefined
  readonly forwarderDatabaseUrl: string | undefined
  readonly changeRetentionMs: number
  readonly host: string
  readonly port: number
  readonly publicUrl: URL
  readonly dnsHosts: readonly string[]
  readonly dnsPort: number
  readonly forwardHost: string
  readonly forwardPort: number
  readonly forwardAddresses: readonly string[]
  /** Never empty. */
  readonly zones: readonly string[]
  readonly nameservers: readonly parse.Nameserver[]
  readonly admin: Administrator
  readonly secretKey: Buffer
  /** Undefined: mail goes to the local mailbox. */
  readonly smtpUrl: URL | undefined
  readonly mailFrom: string
  /** Where people report holes: a URL. */
  readonly securityContact: string
  /** What the service calls itself, in mail and on its pages. */
  readonly productName: string
  /** Addresses and networks whose `X-Forwarded-For` is believed. */
  readonly trustProxy: readonly string[]
  readonly addressPolicy: 'any' | 'public'
  /** Whether what users name may lead to private addresses; never in production. */
  readonly allowsPrivateTargets: boolean
  /** `IP` or `IP:port` of the name servers that look-ups outside go to; empty: the system's. */
  readonly dnsResolver: readonly string[]
  readonly rateLimits: boolean
  readonly captcha: CaptchaConfig
  /** Whether update URLs take the passwords of accounts. */
  readonly updatePasswords: boolean
  /** Parts of User-Agents, in lower case, whose update calls are refused. */
  readonly blockedAgents: readonly string[]
  /** What no name may pass itself off with. */
  readonly protectedWords: WordList
  /** Files in MaxMind's format; undefined: the data that ships with the packages. */
  readonly countryMmdb: string | undefined
  readonly asnMmdb: string | undefined
  readonly metricsToken: string | undefined
  readonly workerMetricsPort: number | undefined
  readonly forwardMetricsPort: number | undefined
  readonly logLevel: LogLevel
  readonly logFormat: 'pretty' | 'json'
}

/**
 * The whole configuration, frozen.
 *
 * @param environment the process's own, over `.env` in the project's root, when none is given
 * @throws ConfigError at the first variable that is wrong
 */
export function loadConfig(environment: Environment = processEnvironment()): Config {
  const variables = new Variables(environment)
  const nodeEnv = variables.value(
    'NODE_ENV',
    'development, production or test',
    parse.oneOf('development', 'production', 'test'),
    'development',
  )
  if (nodeEnv === 'production') refuseConveniences(variables)
  const dataDir = resolve(ROOT, variables.text('DATA_DIR') ?? '.data')
  return Object.freeze({
    nodeEnv,
    dataDir,
    ...databaseOf(variables),
    ...webOf(variables),
    ...zonesOf(variables),
    ...rulesOf(variables, nodeEnv === 'production'),
    ...watchingOf(variables),
    // Last, since it may make a file: a start that stops leaves nothing behind.
    ...mailAndSecretsOf(variables, dataDir),
  })
}

/** As `loadConfig`, for the entry of a process: a wrong value is printed and ends it with exit code 78. */
export function loadConfigOrExit(): Config {
  try {
    return loadConfig()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    process.stderr.write(`${error.message}\n`)
    return process.exit(EXIT_CONFIG)
  }
}

/** What eases development would be a hole in production. */
function refuseConveniences(variables: Variables): void {
  for (const required of ['SECRET_KEY', 'SMTP_URL']) {
    if (variables.text(required) === undefined) {
      throw new ConfigError(required, undefined, 'a value of its own with NODE_ENV=production')
    }
  }
  for (const [name, convenience] of [
    ['RATE_LIMITS', 'off'],
    ['ALLOW_PRIVATE_TARGETS', '1'],
  ] as const) {
    if (variables.text(name) === convenience) {
      throw new ConfigError(name, convenience, 'no such value with NODE_ENV=production')
    }
  }
}

function databaseOf(variables: Variables) {
  const url = (name: string) => variables.secret(name, POSTGRES_URL, parse.postgresUrl)
  const databaseUrl = url('DATABASE_URL')
  const span = 'a span such as 90s, 30m, 24h or 7d'
  return {
    databaseUrl,
    dnsdDatabaseUrl: url('DNSD_DATABASE_URL') ?? databaseUrl,
    forwarderDatabaseUrl: url('FORWARDER_DATABASE_URL') ?? databaseUrl,
    changeRetentionMs: variables.value('CHANGE_RETENTION', span, parse.durationMs, 86_400_000),
  }
}

function webOf(variables: Variables) {
  const port = variables.value('PORT', parse.PORT, parse.port, 8080)
  const forwardHost = variables.value('FORWARD_HOST', ADDRESS, parse.ipAddress, '127.0.0.1')
  return {
    host: variables.value('HOST', `${ADDRESS}, or a host name`, parse.listenHost, '127.0.0.1'),
    port,
    publicUrl: variables.value(
      'PUBLIC_URL',
      'an http or https URL without a path, such as https://dns.example.net',
      parse.origin,
      new URL(`http://localhost:${port}`),
    ),
    trustProxy: variables.value(
      'TRUST_PROXY',
      'a comma list of addresses and networks such as 10.0.0.0/8',
      parse.listOf(parse.addressOrNetwork),
      [],
    ),
    forwardHost,
    forwardPort: variables.value('FORWARD_PORT', parse.PORT, parse.port, 8088),
    forwardAddresses: variables.value(
      'FORWARD_ADDRESSES',
      'a comma list of IPv4 and IPv6 addresses',
      parse.listOf(parse.ipAddress),
      [forwardHost],
    ),
  }
}

function mailAndSecretsOf(variables: Variables, dataDir: string) {
  const key = variables.secret(
    'SECRET_KEY',
    `at least ${SECRET_KEY_LIMIT_CHARACTERS} characters, best from: openssl rand -base64 32`,
    parse.textFrom(SECRET_KEY_LIMIT_CHARACTERS),
  )
  return {
    smtpUrl: variables.secret(
      'SMTP_URL',
      'a URL such as smtp://user:password@host:587 or smtps://host',
      parse.urlOf('smtp:', 'smtps:'),
    ),
    secretKey: key === undefined ? keptSecretKey(dataDir) : Buffer.from(key),
  }
}
