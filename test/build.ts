/** Builds a workspace if its sources changed, so that tests run the current code. */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** Waits for the build. @throws Error with the output of a build that fails */
export function build(room: 'admin' | 'cli' | 'dashboard'): void {
  execFileSync(process.execPath, ['scripts/builds/build.ts', room], { cwd: ROOT, stdio: 'pipe' })
}
