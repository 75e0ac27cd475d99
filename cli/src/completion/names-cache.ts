/**
 * The names of accounts, kept for completion: one file for each profile, server and credential, below `$XDG_CACHE_HOME/homing`
 * (`~/.cache/homing`), that only its owner can read.
 *
 * The file's name has a digest of the server and the credential. Thus another account never gets these names, and the
 * cache does not reveal the credential.
 */
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Account } from '../lib/credentials.ts'
import { type Environment, privateFolder, writePrivateFile } from '../lib/private-files.ts'

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

const DIGEST_LENGTH = 32
/** After this time without a write, the credential of a file counts as unused. */
const UNUSED_LIMIT_MS = 86_400_000

export const NO_NAMES: AccountNames = { domains: [], ownZones: [], zones: [] }

const namesFolder = (environment: Environment): string =>
  privateFolder('names', { variable: 'XDG_CACHE_HOME', usual: '.cache' }, environment)

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
export const writeNames = (file: string, kept: KeptNames): void =>
  writePrivateFile(file, JSON.stringify(kept))

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
