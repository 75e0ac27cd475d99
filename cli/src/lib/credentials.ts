/** Who the caller is. Secrets come from a file or the environment, never from the command line, which others can see. */
import { readFileSync, statSync } from 'node:fs'
import { EXIT } from './exit-codes.ts'
import { CommandFailure } from './failure.ts'

export type Credentials =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'password'; readonly username: string; readonly password: string }

const MODE_OTHERS_READ = 0o004

/**
 * The first line of a password file; `-` reads standard input.
 *
 * @throws CommandFailure when the file is missing, empty, or readable by everybody
 */
function readPassword(file: string): string {
  try {
    if (file !== '-' && (statSync(file).mode & MODE_OTHERS_READ) !== 0) {
      throw new CommandFailure(
        EXIT.auth,
        `Everybody can read ${file}. Make it yours alone: chmod 600 ${file}`,
      )
    }
    const [password = ''] = readFileSync(file === '-' ? 0 : file, 'utf8').split('\n')
    if (password !== '') return password
  } catch (error) {
    if (error instanceof CommandFailure) throw error
    throw new CommandFailure(EXIT.auth, `No password: ${(error as Error).message}`)
  }
  throw new CommandFailure(EXIT.auth, `No password: the first line of ${file} is empty.`)
}

/** Flags before environment. @throws CommandFailure when neither says who calls */
export function credentialsFrom(
  flags: { readonly username?: string | undefined; readonly 'password-file'?: string | undefined },
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Credentials {
  const { username, 'password-file': passwordFile } = flags
  if (username !== undefined && passwordFile !== undefined) {
    return { kind: 'password', username, password: readPassword(passwordFile) }
  }
  const key = environment['HOMING_API_KEY']?.trim()
  if (key) return { kind: 'key', key }
  throw new CommandFailure(
    EXIT.auth,
    'Not signed in. Set HOMING_API_KEY, or give --username and --password-file.',
  )
}

/** The Authorization header of the update protocol, which knows names and passwords; a key goes for a password. */
export function basicAuthorization(credentials: Credentials): string {
  const pair =
    credentials.kind === 'key'
      ? `key:${credentials.key}`
      : `${credentials.username}:${credentials.password}`
  return `Basic ${Buffer.from(pair).toString('base64')}`
}
