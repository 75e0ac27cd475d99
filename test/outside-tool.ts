/** Tests that need a program which npm cannot install. */
import { spawnSync } from 'node:child_process'
import type { TestOptions } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    /** The missing external program because of which the test was skipped. */
    needs?: string
  }
}

/**
 * Programs that can take the place of another, the better one first. Debian's headless shell is Chromium without windows:
 * it needs two thirds of the processor time, and starts in half the time.
 */
const INTERCHANGEABLE: Readonly<Record<string, readonly string[]>> = {
  chromium: ['chromium-headless-shell', 'chromium'],
}

/** The path of `program`, or of the program that takes its place; undefined when the shell finds none. */
export function pathOf(program: string): string | undefined {
  const names = INTERCHANGEABLE[program] ?? [program]
  const { stdout } = spawnSync('sh', ['-c', `command -v ${names.join(' || command -v ')}`])
  return stdout.toString().trim() || undefined
}

/** Whether the shell finds `program`; `root` is available when this process runs as root. */
const isThere = (program: string): boolean =>
  program === 'root' ? process.getuid?.() === 0 : pathOf(program) !== undefined

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
