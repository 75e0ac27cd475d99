/** The names that completion offers: from the cache at once, which a process in the background renews. */
import { readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { accountFrom, type AccountFlags } from '../lib/credentials.ts'
import { DEFAULT_PROFILE, profileFile } from '../lib/profiles.ts'
import { REFRESH_NAMES } from './protocol.ts'
import type { LiveKind } from './kinds.ts'
import {
  type AccountNames,
  type KeptNames,
  namesFile,
  NO_NAMES,
  readNames,
  writeNames,
} from './names-cache.ts'

/** How long the names count as new, and how long the server is not asked again. */
const FRESH_MS = 60_000

/** A time in the future is that of a clock that was set back. */
const isFresh = ({ askedAt }: KeptNames, now: number): boolean =>
  askedAt <= now && now - askedAt < FRESH_MS

/** Starts the process that renews the names. It outlives this one and prints nothing. @param main the file that starts the program */
function startRefresh(main: string, { profile = '', server = '' }: AccountFlags): void {
  // An `import` would load the module also where it is not needed.
  const { spawn } = process.getBuiltinModule('node:child_process')
  const words = [main, REFRESH_NAMES, profile, server]
  const options = { detached: true, stdio: 'ignore', cwd: '/' } as const
  // Where no process can start, the old names stay.
  spawn(process.execPath, words, options)
    .on('error', () => undefined)
    .unref()
}

async function accountNames(flags: AccountFlags, main: string): Promise<AccountNames> {
  const account = await accountFrom(flags)
  // The user may still correct the line. A key of the environment goes to no server that is only typed.
  if (flags.server !== undefined && account.source === 'HOMING_API_KEY') return NO_NAMES
  const file = namesFile(account, process.env)
  const now = Date.now()
  const kept = readNames(file)
  if (kept !== undefined && isFresh(kept, now)) return kept
  const asked = { ...NO_NAMES, ...kept, askedAt: now }
  // Written first: where it cannot be written, each Tab would start a process in vain.
  writeNames(file, asked)
  startRefresh(main, flags)
  return asked
}

/** The names of the stored profiles. @throws Error if their folder does not exist */
const profileNames = (): string[] =>
  readdirSync(dirname(profileFile(DEFAULT_PROFILE, process.env)))
    .filter((name) => /^[A-Za-z0-9][\w.-]*\.json$/.test(name))
    .map((name) => name.slice(0, -'.json'.length))
    .toSorted()

/**
 * The names of the account that the flags of a line, the environment or the profile name.
 *
 * @param given the flags of the line
 * @param main the file that starts the program
 * @throws CommandFailure or Error when nobody is signed in, or a file cannot be read or written
 */
export async function liveNames(
  kind: LiveKind,
  given: ReadonlyMap<string, string>,
  main: string,
): Promise<readonly string[]> {
  if (kind === 'profiles') return profileNames()
  // Completion does not sign in.
  if (given.has('username')) return []
  const [profile, server] = [given.get('profile'), given.get('server')]
  const flags = { ...(profile && { profile }), ...(server && { server }) }
  return (await accountNames(flags, main))[kind]
}
