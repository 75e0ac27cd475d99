/** Who named a URL decides what a request to it may do. */

export interface Profile {
  /** With their colon. */
  readonly schemes: readonly string[]
  readonly takesPort: (port: number) => boolean
  readonly redirectLimit: number
  /** For the whole request, redirects included. */
  readonly timeLimitMs: number
  readonly bodyLimitBytes: number
  /** Whether any address may be reached: for what the operator configured. */
  readonly reachesInside: boolean
}

const HTTPS_PORT = 443
/** SMTP: a request could be made to look like the commands of a mail client. */
const SMTP_PORT = 25
const KIB = 1024

/** Issuers of tokens: anybody may name one, and all that is read there is JSON on the usual port. */
export const ISSUER: Profile = {
  schemes: ['https:'],
  takesPort: (port) => port === HTTPS_PORT,
  redirectLimit: 3,
  timeLimitMs: 5_000,
  bodyLimitBytes: 256 * KIB,
  reachesInside: false,
}

/** What users name to be watched, checked or called. */
export const TARGET: Profile = {
  schemes: ['http:', 'https:'],
  takesPort: (port) => port !== SMTP_PORT && port !== 0,
  redirectLimit: 5,
  timeLimitMs: 10_000,
  bodyLimitBytes: 256 * KIB,
  reachesInside: false,
}

/** What the operator named in the environment. Redirects are an error: secrets go to the configured place and to no other. */
export const OPERATOR: Profile = {
  schemes: ['http:', 'https:'],
  takesPort: () => true,
  redirectLimit: 0,
  timeLimitMs: 5_000,
  bodyLimitBytes: 64 * KIB,
  reachesInside: true,
}

/** The same profile where private targets are allowed (`ALLOW_PRIVATE_TARGETS`, never in production): any place, any port, plain HTTP. */
export const insideToo = (profile: Profile): Profile => ({
  ...profile,
  schemes: ['http:', 'https:'],
  takesPort: () => true,
  reachesInside: true,
})
