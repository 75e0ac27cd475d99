/**
 * Which server, and who calls it: a flag before the environment before the profile.
 * Secrets come from a file, standard input or the environment, never from the command
 * line, which others on the machine can see.
 */
import { readFileSync, statSync } from 'node:fs'
import { EXIT } from './exit-codes.ts'
import { CommandFailure, usage } from './failure.ts'
import {
  chmodCommand,
  DEFAULT_PROFILE,
  isSendable,
  profileFile,
  profileName,
  readProfile,
} from './profiles.ts'
import { firstLineOfStdin } from './stdin.ts'
import { printable } from './text.ts'

export type Credentials =
  | { readonly kind: 'key'; readonly token: string }
  | { readonly kind: 'session'; readonly token: string }
  | { readonly kind: 'password'; readonly username: string; readonly password: string }

/** The flags of every command that speaks to the service. */
export interface AccountFlags {
  readonly server?: string | undefined
  readonly profile?: string | undefined
  readonly username?: string | undefined
  readonly 'password-file'?: string | undefined
}

export interface Account {
  /** Origin of the service. */
  readonly server: string
  readonly profile: string
  readonly credentials: Credentials
  /** Where the credentials were found, in words. */
  readonly source: string
}

type Environment = Readonly<Record<string, string | undefined>>

export const DEFAULT_SERVER = 'http://localhost:8080'
const MODE_OTHERS_READ = 0o004

/**
 * The first line of a password file; `-` reads standard input.
 *
 * @throws CommandFailure when the file is missing, empty, or readable by everybody
 */
export async function readPassword(file: string): Promise<string> {
  if (file === '-') return firstLineOfStdin('password')
  try {
    if ((statSync(file).mode & MODE_OTHERS_READ) !== 0) {
      throw new CommandFailure(
        EXIT.auth,
        `Everybody can read ${file}. Make it yours alone: ${chmodCommand(file)}`,
      )
    }
    const [password = ''] = readFileSync(file, 'utf8').split(/\r?\n/)
    if (password !== '') return password
  } catch (error) {
    if (error instanceof CommandFailure) throw error
    throw new CommandFailure(EXIT.auth, `No password: ${(error as Error).message}`)
  }
  throw new CommandFailure(EXIT.auth, `No password: the first line of ${file} is empty.`)
}

/**
 * A key or token that a header can carry. Others are refused here: what sends them would repeat them in its error.
 *
 * @param place where it stood, for the message
 */
export function requireSendable(token: string, place: string): string {
  if (isSendable(token)) return token
  throw new CommandFailure(
    EXIT.auth,
    `There is no key in ${place}: a key is one word of ASCII letters, digits and signs.`,
  )
}

/** The origin of a server's URL. @param name the flag or variable, for the message */
export function serverOrigin(text: string, name: string): string {
  const url = URL.parse(text)
  if (url !== null && (url.username !== '' || url.password !== '')) {
    throw usage(`${name} takes a URL without a user name and password.`)
  }
  if (url !== null && /^https?:$/.test(url.protocol)) return url.origin
  // A password stands before the @.
  const shown = text.includes('@') ? '' : `; "${printable(text)}" is none`
  throw usage(`${name} takes a URL such as https://dns.example.net${shown}.`)
}

/** The server that flag or environment name; undefined when neither does. */
export function namedServer(
  flag: string | undefined,
  environment: Environment,
): string | undefined {
  if (flag !== undefined) return serverOrigin(flag, '--server')
  const configured = environment['HOMING_URL']?.trim()
  return configured ? serverOrigin(configured, 'HOMING_URL') : undefined
}

/** How to sign in as somebody is now: the command to type. */
export function loginCommand(profile: string, server?: string): string {
  const ofProfile = profile === DEFAULT_PROFILE ? '' : ` --profile ${profile}`
  const atServer = server === undefined ? '' : ` --server ${server}`
  return `homing login${atServer}${ofProfile}`
}

/**
 * Server and caller of a command.
 *
 * A profile's credential goes to the server that gave it and to no other, whatever flag or
 * environment name.
 *
 * @throws CommandFailure when nothing says who calls, or a file or URL is not right
 */
export async function accountFrom(
  flags: AccountFlags,
  environment: Environment = process.env,
): Promise<Account> {
  const profile = profileName(flags.profile, environment)
  const named = namedServer(flags.server, environment)
  const given = await givenCredentials(flags, environment)
  // A damaged profile is no matter where nothing of it is needed.
  if (given !== undefined && named !== undefined) return { server: named, profile, ...given }
  const file = profileFile(profile, environment)
  const kept = readProfile(file)
  const server = named ?? kept?.server ?? DEFAULT_SERVER
  if (given !== undefined) return { server, profile, ...given }
  if (kept?.server === server) {
    const { kind, token } = kept
    return { server, profile, credentials: { kind, token }, source: file }
  }
  throw new CommandFailure(
    EXIT.auth,
    kept === undefined
      ? `Not signed in. Sign in: ${loginCommand(profile)}`
      : `Not signed in at ${server}; the profile ${profile} is for ${kept.server}. Sign in: ${loginCommand('NAME', server)}`,
  )
}

/** What flags or the environment give; undefined when the profile has to say. */
async function givenCredentials(
  flags: AccountFlags,
  environment: Environment,
): Promise<Pick<Account, 'credentials' | 'source'> | undefined> {
  const { username, 'password-file': passwordFile } = flags
  if (username !== undefined && passwordFile !== undefined) {
    const password = await readPassword(passwordFile)
    const source = passwordFile === '-' ? 'standard input' : passwordFile
    return { credentials: { kind: 'password', username, password }, source }
  }
  const token = environment['HOMING_API_KEY']?.trim()
  if (!token) return undefined
  const source = 'HOMING_API_KEY'
  return { credentials: { kind: 'key', token: requireSendable(token, source) }, source }
}

/** The Authorization header of the update protocol, which knows names and passwords; a key goes for a password. */
export function basicAuthorization(
  credentials: Exclude<Credentials, { readonly kind: 'session' }>,
): string {
  const pair =
    credentials.kind === 'key'
      ? `key:${credentials.token}`
      : `${credentials.username}:${credentials.password}`
  return `Basic ${Buffer.from(pair).toString('base64')}`
}
