/** The profile of a request defines what it may do, depending on who named the URL. */

export interface Profile {
  /** With their colon. */
  readonly schemes: readonly string[]
  readonly takesPort: (port: number) => boolean
  readonly redirectLimit: number
  /** For the whole request, including redirects. */
  readonly timeLimitMs: number
  readonly bodyLimitBytes: number
  /** Whether any address may be reached: for URLs that the operator configured. */
  readonly reachesInside: boolean
}

const HTTPS_PORT = 443
/** SMTP: a request could be crafted to look like the commands of a mail client. */
const SMTP_PORT = 25
const KIB = 1024

/** Token issuers: anybody may name one, and the service only reads JSON on the usual port. */
export const ISSUER: Profile = {
  schemes: ['https:'],
  takesPort: (port) => port === HTTPS_PORT,
  redirectLimit: 3,
  timeLimitMs: 5_000,
  bodyLimitBytes: 256 * KIB,
  reachesInside: false,
}

/** URLs that users name for monitoring, checks or calls. */
export const TARGET: Profile = {
  schemes: ['http:', 'https:'],
  takesPort: (port) => port !== SMTP_PORT && port !== 0,
  redirectLimit: 5,
  timeLimitMs: 10_000,
  bodyLimitBytes: 256 * KIB,
  reachesInside: false,
}

/** URLs that the operator set in the environment. Redirects are an error, because secrets must go only to the configured URL. */
export const OPERATOR: Profile = {
  schemes: ['http:', 'https:'],
  takesPort: () => true,
  redirectLimit: 0,
  timeLimitMs: 5_000,
  bodyLimitBytes: 64 * KIB,
  reachesInside: true,
}

/**
 * The same profile where private targets are allowed (`ALLOW_PRIVATE_TARGETS`, never in production): any address, any
 * port, plain HTTP.
 */
export const insideToo = (profile: Profile): Profile => ({
  ...profile,
  schemes: ['http:', 'https:'],
  takesPort: () => true,
  reachesInside: true,
})
