/** The CPU time and memory of a process and its descendants, as Linux counts them. */
import { readdirSync, readFileSync } from 'node:fs'
import { processMs } from './process-time.ts'

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // The process has ended.
    return undefined
  }
}

/** A process and its current descendants. */
export function processTree(root: number): number[] {
  const children = new Map<number, number[]>()
  for (const entry of readdirSync('/proc')) {
    const pid = Number(entry)
    const stat = Number.isInteger(pid) ? textOf(`/proc/${pid}/stat`) : undefined
    if (stat === undefined) continue
    // The name of the command is in parentheses and can contain spaces. The parent is the second field after it.
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
    children.set(parent, [...(children.get(parent) ?? []), pid])
  }
  const below = (pid: number): number[] => [pid, ...(children.get(pid) ?? []).flatMap(below)]
  return below(root)
}

function msOf(pid: number): number {
  try {
    return processMs(pid)
  } catch {
    // The process has ended since it was listed.
    return 0
  }
}

/** CPU time (user and system, all threads) of a process and its descendants so far, in milliseconds. */
export function treeMs(root: number): number {
  return processTree(root).reduce((sum, pid) => sum + msOf(pid), 0)
}

/** Memory of a process and its descendants in MiB. Shared memory is counted once in total (PSS). */
export function treeMiB(root: number): number {
  const kibibytes = processTree(root).map((pid) =>
    Number(/^Pss:\s+(\d+)/m.exec(textOf(`/proc/${pid}/smaps_rollup`) ?? '')?.[1] ?? 0),
  )
  return kibibytes.reduce((sum, each) => sum + each, 0) / 1_024
}
