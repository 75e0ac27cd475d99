/** How many checks of a worker can be under way. */
import { readFileSync } from 'node:fs'

/** Enough for 10,000 monitors a minute that all stay silent until they are given up. */
const PLACES = 2_000
const LEAST_PLACES = 50
/** Files and connections of the worker besides checks. */
const OTHER_FILES = 200
/** A check can have several connections, such as the first one of a monitor. Few do. */
const FILES_A_CHECK = 1.5
/** Where the limit is not known: the usual one. */
const USUAL_FILE_LIMIT = 1_024

/** The maximum number of open files of this process (proc_pid_limits(5)). */
function fileLimit(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8')
    const [, soft = ''] = /^Max open files\s+(\d+|unlimited)/m.exec(limits) ?? []
    return soft === 'unlimited' ? Infinity : Number(soft) || USUAL_FILE_LIMIT
  } catch {
    return USUAL_FILE_LIMIT
  }
}

export function placesFor(files: number = fileLimit()): number {
  const possible = Math.floor((files - OTHER_FILES) / FILES_A_CHECK)
  return Math.min(PLACES, Math.max(LEAST_PLACES, possible))
}
