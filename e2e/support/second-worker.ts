/** A second worker with a stack's database, for tests of what several workers share. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { NODE_COMPILE_CACHE, ROOT } from './stack.ts'
import type { Namespace } from './namespaces.ts'

export interface SecondWorker {
  readonly process: ChildProcess
  /** Resolves when it has ended. */
  end(signal: NodeJS.Signals): Promise<void>
}

/** Starts it with these variables. @param namespace the network to run in, instead of the host's */
export function startSecondWorker(
  env: Readonly<Record<string, string>>,
  namespace?: Namespace,
): SecondWorker {
  const command = [process.execPath, ['api/src/worker.ts']] as const
  const [program, words] = namespace?.within(command[0], ...command[1]) ?? command
  const child = spawn(program, words, {
    cwd: ROOT,
    env: { PATH: process.env['PATH'] ?? '', NODE_COMPILE_CACHE, LOG_LEVEL: 'error', ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return {
    process: child,
    async end(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, 'exit')
      child.kill(signal)
      await gone
    },
  }
}
