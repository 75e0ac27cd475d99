/** Tests that talk to a program which npm cannot bring. */
import { spawnSync } from 'node:child_process'
import type { TestOptions } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    /** The outside program for want of which the test was skipped. */
    needs?: string
  }
}

/** Whether the shell finds `program`. */
function isInstalled(program: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0
}

/**
 * Options of a test that needs an outside program: it is skipped, and the run
 * says `skipped: needs <program>`, where there is none.
 *
 *     test('kdig reads the answer', needs('kdig'), async () => …)
 */
export function needs(program: string): TestOptions {
  return isInstalled(program) ? {} : { skip: true, meta: { needs: program } }
}
