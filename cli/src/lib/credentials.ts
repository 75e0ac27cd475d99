/**
 * The server and the caller: flags override the environment, which overrides the profile. A profile that a flag names
 * overrides the server and the key of the environment, which may be for another server.
 * Secrets come from a file, standard input or the environment, never from the command
 * line, which others on the machine can see.
 */
import { readFileSync, statSync } from 'node:fs'
import { EXIT } from './exit-codes.ts'
import { CommandFailure, usage } from './failure.ts'
import type { Environment } from './private-files.ts'
import {
  chmodCommand,
  DEFAULT_PROFILE,
  isSendable,
  profileFile,
  profileName,
  type Profile,
  readProfile,
} from './profiles.ts'
import { secretOfStdin } from './stdin.ts'
import { printable } from './text.ts'

export type Credentials =
  | { readonly kind: 'key'; readonly token: string }
  | { readonly kind: 'session'; readonly token: string }
  | { readonly kind: 'password'; readonly username: string; readonly password: string }

/** The flags that name a server: its URL, or the profile that was signed in there. */
export interface ServerFlags {
  readonly server?: string | undefined
  readonly profile?: string | undefined
}

/** The flags of every command that calls the service. */
export interface AccountFlags extends ServerFlags {
  readonly username?: string | undefined
  readonly 'password-file'?: string | undefined
  readonly 'no-input'?: boolean
}

export interface Account {
  /** Origin of the service. */
  readonly server: string
  readonly profile: string
  readonly credentials: Credentials
  /** Where the credentials were found, for messages. */
  readonly source: string
}

export const DEFAULT_SERVER = 'http://localhost:8080'
const MODE_OTHERS_READ = 0o004

/**
 * The first line of a password file.
 *
 * @throws CommandFailure when the file is missing, empty, or readable by everybody
 */
export function readPassword(file: string): string {
  try {
    if ((statSync(file).mode & MODE_OTHERS_READ) !== 0) {
      throw new CommandFailure(
        EXIT.auth,
        `Everybody can read ${file}. Make it private: ${chmodCommand(file)}`,
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
 * A key or token that a header can carry. Others are refused here, because the HTTP client would repeat them in its error.
 *
 * @param place where it was found, for the message
 */
export function requireSendable(token: string, place: string): string {
  if (isSendable(token)) return token
  throw new CommandFailure(
    EXIT.auth,
    `There is no key in ${place}: a key is one word of ASCII letters, digits and punctuation.`,
  )
}

/** The origin of a server's URL. @param name the flag or variable, for the message */
export function serverOrigin(text: string, name: string): string {
  const url = URL.parse(text)
  if (url !== null && (url.username !== '' || url.password !== '')) {
    throw usage(`${name} takes a URL without a username and password.`)
  }
  if (url !== null && /^https?:$/.test(url.protocol)) {
    if (url.href === `${url.origin}/`) return url.origin
    throw usage(`${name} takes a URL without a path, such as ${url.origin}.`)
  }
  // The text before an @ may be a password.
  const shown = text.includes('@') ? '' : `, not "${printable(text)}"`
  throw usage(`${name} takes a URL such as https://dns.example.net${shown}.`)
}

function serverOfEnvironment(environment: Environment): string | undefined {
  const configured = environment['HOMING_URL']?.trim()
  return configured ? serverOrigin(configured, 'HOMING_URL') : undefined
}

/**
 * The server that `--server` names, or HOMING_URL without `--profile`; undefined if the profile decides. A flag overrides
 * the environment, and `--profile` stands for the server of the profile.
 *
 * @throws CommandFailure if it is not the URL of a server
 */
export function namedServer(
  { server, profile }: ServerFlags,
  environment: Environment,
): string | undefined {
  if (server !== undefined) return serverOrigin(server, '--server')
  return profile === undefined ? serverOfEnvironment(environment) : undefined
}

/**
 * The server of a command; undefined if nothing names one.
 *
 * @param kept the profile of the command, if it exists
 * @throws CommandFailure as `namedServer`
 */
export const serverOf = (
  flags: ServerFlags,
  kept: Profile | undefined,
  environment: Environment,
): string | undefined =>
  namedServer(flags, environment) ?? kept?.server ?? serverOfEnvironment(environment)

/** Whether the flag for a profile overrides a key of the environment. */
export const isKeyIgnored = (
  { profile, username }: AccountFlags,
  environment: Environment = process.env,
): boolean =>
  profile !== undefined && username === undefined && !!environment['HOMING_API_KEY']?.trim()

/** The command to sign in, for messages. @param command another command that signs in */
export function loginCommand(profile: string, server?: string, command = 'login'): string {
  const ofProfile = profile === DEFAULT_PROFILE ? '' : ` --profile ${profile}`
  const atServer = server === undefined ? '' : ` --server ${server}`
  return `homing ${command}${atServer}${ofProfile}`
}

/**
 * Server and caller of a command.
 *
 * A profile's credential is sent only to the server that issued it, regardless of flags and
 * environment.
 *
 * @throws CommandFailure when there is no credential, or a file or URL is invalid
 */
export async function accountFrom(
  flags: AccountFlags,
  environment: Environment = process.env,
): Promise<Account> {
  const profile = profileName(flags.profile, environment)
  const named = namedServer(flags, environment)
  const given = await givenCredentials(flags, environment)
  // A damaged profile does not matter if the command does not need it.
  if (given !== undefined && named !== undefined) return { server: named, profile, ...given }
  const file = profileFile(profile, environment)
  const kept = readProfile(file)
  const server = serverOf(flags, kept, environment) ?? DEFAULT_SERVER
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

const passwordOfStdin = ({ 'no-input': isForbidden = false }: AccountFlags): Promise<string> =>
  secretOfStdin({ isForbidden }, { what: 'password', message: 'Password' })

/** The credentials of flags or the environment; undefined when the profile decides. */
async function givenCredentials(
  flags: AccountFlags,
  environment: Environment,
): Promise<Pick<Account, 'credentials' | 'source'> | undefined> {
  const { username, 'password-file': passwordFile } = flags
  if (username !== undefined && passwordFile !== undefined) {
    const isStdin = passwordFile === '-'
    const password = isStdin ? await passwordOfStdin(flags) : readPassword(passwordFile)
    const source = isStdin ? 'standard input' : passwordFile
    return { credentials: { kind: 'password', username, password }, source }
  }
  const token = environment['HOMING_API_KEY']?.trim()
  if (!token || flags.profile !== undefined) return undefined
  const source = 'HOMING_API_KEY'
  return { credentials: { kind: 'key', token: requireSendable(token, source) }, source }
}

/** The Authorization header of the update protocol, which takes a user name and a password. A key is sent as the password. */
export function basicAuthorization(
  credentials: Exclude<Credentials, { readonly kind: 'session' }>,
): string {
  const pair =
    credentials.kind === 'key'
      ? `key:${credentials.token}`
      : `${credentials.username}:${credentials.password}`
  return `Basic ${Buffer.from(pair).toString('base64')}`
}
