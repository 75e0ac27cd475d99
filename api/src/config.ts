/**
 * The environment, parsed once. What each variable means is in
 * `docs/reference/environment.md`; what cannot be understood stops the start
 * with one line, because a service that guesses serves the wrong names.
 */
import { resolve } from 'node:path'
import { type CaptchaConfig, captchaConfigOf } from './config/captcha.ts'
import { ConfigError } from './config/config-error.ts'
import * as parse from './config/parsers.ts'
import { protectedWordsOf } from './config/protected-words.ts'
import { keptSecretKey } from './config/secret-key.ts'
import { type Environment, processEnvironment, ROOT, Variables } from './config/variables.ts'
import type { WordList } from './domain/word-list.ts'

export { ConfigError } from './config/config-error.ts'

/** EX_CONFIG of sysexits.h: the exit code of a start that the environment stopped. */
export const EXIT_CONFIG = 78

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
const ADDRESS = 'an IPv4 or IPv6 address'
const PORT = 'a port from 1 to 65535'
const POSTGRES_URL = 'a URL such as postgresql://user:password@host:5432/database'
const SECRET_KEY_LIMIT_CHARACTERS = 32
const PASSWORD_LIMIT_CHARACTERS = 8
/** What is shorter stands in many User-Agents. */
const AGENT_LIMIT_CHARACTERS = 3

export type LogLevel = (typeof LOG_LEVELS)[number]

export interface Administrator {
  readonly username: string
  readonly email: string
  /** Absent: a random one is made on the first start. */
  readonly password?: string
}

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
    ...dnsOf(variables),
    ...rulesOf(variables, nodeEnv),
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
  const port = variables.value('PORT', PORT, parse.port, 8080)
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
    forwardPort: variables.value('FORWARD_PORT', PORT, parse.port, 8088),
    forwardAddresses: variables.value(
      'FORWARD_ADDRESSES',
      'a comma list of IPv4 and IPv6 addresses',
      parse.listOf(parse.ipAddress),
      [forwardHost],
    ),
  }
}

function dnsOf(variables: Variables) {
  const addresses = 'a comma list of IPv4 and IPv6 addresses'
  const names = 'a comma list of domain names such as example.net'
  const servers = 'a comma list of hostname/IPv4 or hostname/IPv4/IPv6'
  const zones = variables.value('ZONES', names, parse.listOf(parse.hostname), ['homing.test'])
  const [first = 'homing.test'] = zones
  return {
    dnsHosts: variables.value('DNS_HOST', addresses, parse.listOf(parse.ipAddress), ['127.0.0.1']),
    dnsPort: variables.value('DNS_PORT', PORT, parse.port, 8053),
    zones,
    nameservers: variables.value('NAMESERVERS', servers, parse.listOf(parse.nameserver), [
      { hostname: `ns1.${first}`, ipv4: '127.0.0.1' },
      { hostname: `ns2.${first}`, ipv4: '127.0.0.1' },
    ]),
    admin: administratorOf(variables, first),
    ...senderOf(variables, first),
  }
}

function senderOf(variables: Variables, zone: string) {
  const takes = "a name of at most 40 letters, digits, spaces and . & ' + -"
  const productName = variables.value('PRODUCT_NAME', takes, parse.productName, 'Homing')
  return {
    productName,
    mailFrom: variables.value(
      'MAIL_FROM',
      'Name <address@example.net> or an address alone',
      parse.mailbox,
      `${productName} <no-reply@${zone}>`,
    ),
    securityContact: variables.value(
      'SECURITY_CONTACT',
      'a URL such as mailto:security@example.net, or one that begins with https:// or tel:+',
      parse.contactUrl,
      `mailto:security@${zone}`,
    ),
  }
}

function administratorOf(variables: Variables, zone: string): Administrator {
  const takes = `at least ${PASSWORD_LIMIT_CHARACTERS} characters`
  const password = variables.secret(
    'ADMIN_PASSWORD',
    takes,
    parse.textFrom(PASSWORD_LIMIT_CHARACTERS),
  )
  return {
    username: variables.value(
      'ADMIN_USERNAME',
      '3 to 32 of the characters a-z, 0-9, dot, underscore and hyphen',
      (text) => (/^[a-z0-9._-]{3,32}$/i.test(text) ? text : undefined),
      'admin',
    ),
    email: variables.value('ADMIN_EMAIL', 'an e-mail address', parse.emailAddress, `admin@${zone}`),
    ...(password === undefined ? {} : { password }),
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

function rulesOf(variables: Variables, nodeEnv: Config['nodeEnv']) {
  const privateTargets = variables.optional(
    'ALLOW_PRIVATE_TARGETS',
    '1, or nothing',
    parse.oneOf('1'),
  )
  const onOrOff = parse.oneOf('on', 'off')
  const limits = variables.value('RATE_LIMITS', 'on or off', onOrOff, 'on')
  const passwords = variables.value('UPDATE_PASSWORDS', 'on or off', onOrOff, 'on')
  const agents = 'a comma list of texts of 3 characters and more'
  const agentList = parse.listOf(parse.textFrom(AGENT_LIMIT_CHARACTERS))
  const blocked = variables.value('BLOCKED_AGENTS', agents, agentList, [])
  return {
    addressPolicy: variables.value<'any' | 'public'>(
      'ADDRESS_POLICY',
      'any or public',
      parse.oneOf('any', 'public'),
      nodeEnv === 'production' ? 'public' : 'any',
    ),
    allowsPrivateTargets: privateTargets === '1',
    dnsResolver: variables.value(
      'DNS_RESOLVER',
      'a comma list of name servers such as 192.0.2.53 or 127.0.0.1:5353',
      parse.listOf(parse.nameServerAddress),
      [],
    ),
    rateLimits: limits === 'on',
    captcha: captchaConfigOf(variables, nodeEnv === 'production'),
    updatePasswords: passwords === 'on',
    blockedAgents: blocked.map((agent) => agent.toLowerCase()),
    protectedWords: protectedWordsOf(variables),
  }
}

function watchingOf(variables: Variables) {
  const mmdb = 'a file in MaxMind’s format that can be read'
  return {
    countryMmdb: variables.optional('GEOIP_COUNTRY_MMDB', mmdb, parse.readableFile),
    asnMmdb: variables.optional('GEOIP_ASN_MMDB', mmdb, parse.readableFile),
    metricsToken: variables.secret('METRICS_TOKEN', 'at least 16 characters', parse.textFrom(16)),
    workerMetricsPort: variables.optional('WORKER_METRICS_PORT', PORT, parse.port),
    forwardMetricsPort: variables.optional('FORWARD_METRICS_PORT', PORT, parse.port),
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
