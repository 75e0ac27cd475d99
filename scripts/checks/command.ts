import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type Check, failedBecause, PASSED } from './check.ts'

/** The project's root, with a final slash. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url))

export interface CommandResult {
  /** Null when a signal ended it. */
  readonly exitCode: number | null
  /** Standard output and standard error, in the order of arrival. */
  readonly output: string
}

/** Runs a program in the project's root, and waits for its end. @throws Error when it cannot be started */
export async function runCommand(program: string, ...args: string[]): Promise<CommandResult> {
  const child = spawn(program, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  }
  const [exitCode] = (await once(child, 'close')) as [number | null]
  return { exitCode, output }
}

/** A check that a program decides by its exit code; its output is shown only when it fails. */
export function commandCheck(name: string, program: string, ...args: string[]): Check {
  return {
    name,
    async run() {
      const { exitCode, output } = await runCommand(program, ...args)
      return exitCode === 0 ? PASSED : failedBecause(output || `${program} ended with ${exitCode}`)
    },
  }
}
