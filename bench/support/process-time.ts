import { readFileSync } from 'node:fs'

/** Clock ticks per second, the unit of times in /proc (proc_pid_stat(5)). */
const TICKS = 100

/** The sum of two fields of a process. The name of the command is in parentheses and can contain spaces; fields count after it. */
function ticksMs(pid: number, first: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return ((Number(fields[first]) + Number(fields[first + 1])) * 1_000) / TICKS
}

/** The CPU time that a process and its threads have used, in milliseconds: user and system time. */
export const processMs = (pid: number): number => ticksMs(pid, 11)

/** The CPU time of the children of a process that have ended, in milliseconds. */
export const endedChildrenMs = (pid: number): number => ticksMs(pid, 13)
