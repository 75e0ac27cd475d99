/** Processes of this machine, from Linux's /proc. */
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

const POLL_MS = 20

function partsOf(pid: number, file: 'cmdline' | 'environ'): string[] {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8').split('\0')
  } catch {
    return [] // The process has ended, or it cannot be read.
  }
}

/**
 * Whether a process has `argument` on its command line. False for a process that ended and was not
 * reaped yet.
 */
export function hasArgument(pid: number, argument: string): boolean {
  return partsOf(pid, 'cmdline').includes(argument)
}

/** Whether a process was started with `NAME=value` in its environment. */
export function hasVariable(pid: number, nameAndValue: string): boolean {
  return partsOf(pid, 'environ').includes(nameAndValue)
}

/** The process id in the first line of a file; undefined if the file does not exist or does not begin with one. */
export function pidIn(file: string): number | undefined {
  try {
    const pid = Number(readFileSync(file, 'utf8').split('\n')[0])
    return Number.isInteger(pid) && pid > 1 ? pid : undefined
  } catch {
    return undefined
  }
}

/** Sends a signal to a process that may have ended meanwhile. */
function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/**
 * Ends a process that is not a child: sends `signal`, and SIGKILL if it still exists after `limitMs`.
 *
 * @param exists whether it is still the same process; the kernel reuses ids
 */
export async function endProcess(
  pid: number,
  exists: () => boolean,
  options: { signal: NodeJS.Signals; limitMs: number },
): Promise<void> {
  const deadline = performance.now() + options.limitMs
  if (exists()) signalIfThere(pid, options.signal)
  while (exists()) {
    if (performance.now() > deadline) signalIfThere(pid, 'SIGKILL')
    await delay(POLL_MS)
  }
}
