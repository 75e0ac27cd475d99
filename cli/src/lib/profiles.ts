/**
 * Sign-ins, stored between commands: one file per profile, below
 * `$XDG_CONFIG_HOME/homing` (`~/.config/homing`), that only its owner can read.
 *
 * A new file is written beside the old one and renamed, so that an interrupted
 * command leaves the old one. A file that others can read is refused and not
 * repaired: others may have read it.
 */
import { readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { EXIT } from './exit-codes.ts'
import { CommandFailure, usage } from './failure.ts'
import { type Environment, privateFolder, writePrivateFile } from './private-files.ts'

export interface Profile {
  /** Origin of the server that issued the credential, the only one that it is sent to. */
  readonly server: string
  /** `session` expires, or ends by `homing logout`; `key` is an API key. */
  readonly kind: 'session' | 'key'
  readonly token: string
  /** Absent for a key, which does not reveal its account. */
  readonly username?: string
}

export const DEFAULT_PROFILE = 'default'
const MODE_OTHERS = 0o077

/** The profile that a command uses. @throws CommandFailure for a name that is not a safe file name */
export function profileName(flag: string | undefined, environment: Environment): string {
  const name = flag ?? (environment['HOMING_PROFILE'] || DEFAULT_PROFILE)
  if (/^[A-Za-z0-9][\w.-]{0,63}$/.test(name)) return name
  throw usage(
    'A profile name has 1 to 64 letters, digits, dots, underscores and hyphens, and starts with a letter or digit.',
  )
}

/** The file of a profile. */
export function profileFile(name: string, environment: Environment): string {
  const place = { variable: 'XDG_CONFIG_HOME', usual: '.config' }
  return join(privateFolder('profiles', place, environment), `${name}.json`)
}

/** Whether a header can carry a token: one word of visible ASCII. */
export const isSendable = (token: string) => /^[\x21-\x7E]+$/.test(token)

/** The shell command that makes a file private. */
export const chmodCommand = (file: string) =>
  `chmod 600 '${file.replaceAll("'", String.raw`'\''`)}'`

function isProfile(value: unknown): value is Profile {
  if (typeof value !== 'object' || value === null) return false
  const { server, kind, token, username } = value as Record<string, unknown>
  return (
    typeof server === 'string' &&
    URL.parse(server)?.origin === server &&
    (kind === 'session' || kind === 'key') &&
    typeof token === 'string' &&
    isSendable(token) &&
    (username === undefined || typeof username === 'string')
  )
}

const unreadable = (file: string, why: string) =>
  new CommandFailure(EXIT.failed, `The profile in ${file} cannot be read: ${why}.`)

/**
 * The profile in a file; undefined when the file does not exist.
 *
 * @throws CommandFailure when others can read it, or it is not a profile
 */
export function readProfile(file: string): Profile | undefined {
  let text: string
  try {
    if ((statSync(file).mode & MODE_OTHERS) !== 0) {
      throw new CommandFailure(
        EXIT.auth,
        `Others can read ${file}, which holds your credential. Make it private: ${chmodCommand(file)}`,
      )
    }
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof CommandFailure) throw error
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw unreadable(file, message)
  }
  try {
    const profile: unknown = JSON.parse(text)
    if (isProfile(profile)) return profile
  } catch {
    // Reported below, together with JSON that is not a profile.
  }
  throw unreadable(file, 'it is damaged. Delete it, and sign in again with homing login')
}

/** Stores a profile. @throws CommandFailure when the file cannot be written */
export function writeProfile(file: string, profile: Profile): void {
  try {
    writePrivateFile(file, `${JSON.stringify(profile, null, 2)}\n`, { flush: true })
  } catch (error) {
    throw new CommandFailure(
      EXIT.failed,
      `The sign-in cannot be stored: ${(error as Error).message}. Set XDG_CONFIG_HOME to a folder that you can write to.`,
    )
  }
}

/** Deletes a profile. @throws CommandFailure when the file cannot be removed */
export function removeProfile(file: string): void {
  try {
    rmSync(file, { force: true })
  } catch (error) {
    throw new CommandFailure(
      EXIT.failed,
      `The sign-in cannot be deleted: ${(error as Error).message}.`,
    )
  }
}
