/** Tests that need a program which npm cannot install. */
import { spawnSync } from 'node:child_process'
import type { TestOptions } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    /** The missing external program because of which the test was skipped. */
    needs?: string
  }
}

/** Whether the shell finds `program`; `root` is available when this process runs as root. */
function isThere(program: string): boolean {
  if (program === 'root') return process.getuid?.() === 0
  return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0
}

/**
 * Options of a test that needs external programs, or `root`: if one of them is missing, the test is skipped and the run
 * reports `skipped: needs <program>`.
 *
 *     test('kdig reads the answer', needs('kdig'), async () => …)
 */
export function needs(...programs: readonly string[]): TestOptions {
  const missing = programs.find((program) => !isThere(program))
  return missing === undefined ? {} : { skip: true, meta: { needs: missing } }
}
