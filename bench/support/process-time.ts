import { readFileSync } from 'node:fs'

/** Clock ticks per second, the unit of times in /proc (proc_pid_stat(5)). */
const TICKS = 100

/** The CPU time that a process and its threads have used, in milliseconds. */
export function processMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name of the command is in parentheses and can contain spaces. User and system time are the 12th and 13th fields after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return ((Number(fields[11]) + Number(fields[12])) * 1_000) / TICKS
}
