/**
 * The names of accounts, kept for completion: one file for each profile, server and credential, below `$XDG_CACHE_HOME/homing`
 * (`~/.cache/homing`), that only its owner can read.
 *
 * The file's name has a digest of the server and the credential. Thus another account never gets these names, and the
 * cache does not reveal the credential. A file is replaced as a whole, so a reader never gets half of one.
 */
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import type { Account } from '../lib/credentials.ts'

export interface AccountNames {
  readonly domains: readonly string[]
  readonly ownZones: readonly string[]
  /** The zones of the domains. */
  readonly zones: readonly string[]
}

export interface KeptNames extends AccountNames {
  /** When the server was last asked for them, whether it answered or not. Milliseconds since 1970. */
  readonly askedAt: number
}

type Environment = Readonly<Record<string, string | undefined>>

const MODE_FOLDER = 0o700
const MODE_FILE = 0o600
const DIGEST_LENGTH = 32
/** A file that was not written for longer is of a credential that is not used any more. */
const UNUSED_LIMIT_MS = 86_400_000

export const NO_NAMES: AccountNames = { domains: [], ownZones: [], zones: [] }

/** The folder of the files. A relative XDG_CACHE_HOME is ignored, as the XDG base directory specification requires. */
function namesFolder(environment: Environment): string {
  const configured = environment['XDG_CACHE_HOME'] ?? ''
  const base = isAbsolute(configured)
    ? configured
    : join(environment['HOME'] || homedir(), '.cache')
  return join(base, 'homing', 'names')
}

/** A profile's name has no @. */
const prefixOf = (profile: string) => `${profile}@`

/** The file with the names of an account. */
export function namesFile(
  { profile, server, credentials }: Account,
  environment: Environment,
): string {
  // An `import` would load node:crypto, which takes 5 ms, also where no names are needed.
  const { hash } = process.getBuiltinModule('node:crypto')
  const digest = hash('sha256', JSON.stringify([server, credentials]), 'hex')
  const name = `${prefixOf(profile)}${digest.slice(0, DIGEST_LENGTH)}.json`
  return join(namesFolder(environment), name)
}

/** Names go to a terminal, so they have the characters of domains alone. */
const isName = (name: unknown): name is string =>
  typeof name === 'string' && /^[\w.*-]+$/.test(name)

/** The names that are safe to print. */
export const onlyNames = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((name) => isName(name)) : []

/** The names in a file; undefined when it does not exist or is damaged. */
export function readNames(file: string): KeptNames | undefined {
  try {
    const kept = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, unknown>>
    const { askedAt, domains, ownZones, zones } = kept
    return {
      askedAt: typeof askedAt === 'number' ? askedAt : 0,
      domains: onlyNames(domains),
      ownZones: onlyNames(ownZones),
      zones: onlyNames(zones),
    }
  } catch {
    return undefined
  }
}

/** Replaces a file. @throws Error of the operating system */
export function writeNames(file: string, kept: KeptNames): void {
  const folder = join(file, '..')
  const aside = `${file}.${process.pid}`
  mkdirSync(folder, { recursive: true, mode: MODE_FOLDER })
  for (const own of [folder, join(folder, '..')]) chmodSync(own, MODE_FOLDER)
  try {
    writeFileSync(aside, JSON.stringify(kept), { mode: MODE_FILE })
    renameSync(aside, file)
  } catch (error) {
    rmSync(aside, { force: true })
    throw error
  }
}

/** Deletes files that match. What cannot be deleted stays: no command fails because of the cache. */
function removeFiles(
  environment: Environment,
  isMatch: (name: string, file: string) => boolean,
): void {
  try {
    const folder = namesFolder(environment)
    for (const name of readdirSync(folder)) {
      const file = join(folder, name)
      if (isMatch(name, file)) rmSync(file, { force: true })
    }
  } catch {
    // There is no cache, or another process deletes the same files.
  }
}

/** Deletes the names of all accounts of a profile. */
export const forgetNames = (profile: string, environment: Environment): void =>
  removeFiles(environment, (name) => name.startsWith(prefixOf(profile)))

/** Deletes the names of credentials that are not used any more. @param now milliseconds since 1970 */
export const removeUnusedNames = (environment: Environment, now: number): void =>
  removeFiles(environment, (_, file) => now - statSync(file).mtimeMs > UNUSED_LIMIT_MS)
