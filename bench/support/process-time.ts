import { readFileSync } from 'node:fs'

/** Clock ticks of Linux in a second, as /proc tells times (proc_pid_stat(5)). */
const TICKS = 100

/** The processor time that a process and its threads have used, in milliseconds. */
export function processMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name of the command is in parentheses and may hold spaces; user and system time are the 12th and 13th after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return ((Number(fields[11]) + Number(fields[12])) * 1_000) / TICKS
}
