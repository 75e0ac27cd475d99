/** The scripts that a browser must fetch and run before a screen can be used, measured on the build. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type Check, failedBecause, type Outcome, PASSED } from '../checks/check.ts'
import { ROOT } from '../checks/command.ts'
import { isScreen } from './sources.ts'

/** Maximum size of the scripts of the first load, in bytes after gzip. */
const BUDGET_BYTES: Readonly<Record<string, number>> = { dashboard: 185_000, admin: 380_000 }

/** The scripts of a page: its own, and their imports, which the build lists as preloads. */
function scriptsOf(page: string): string[] {
  const sources = page.matchAll(/<script[^>]*\ssrc="([^"]+)"|<link[^>]*modulepreload[^>]*>/g)
  return Array.from(sources, ([tag, source]) => source ?? /href="([^"]+)"/.exec(tag)?.[1] ?? '')
}

/** Bytes of the first load's scripts, each after gzip. `dist` contains a built screen. */
export function firstLoadBytes(dist: string): number {
  const page = readFileSync(join(dist, 'index.html'), 'utf8')
  const files = new Set(scriptsOf(page).map((url) => url.slice(url.indexOf('assets/'))))
  return [...files]
    .map((file) => gzipSync(readFileSync(join(dist, file)), { level: 9 }).length)
    .reduce((total, bytes) => total + bytes, 0)
}

const kilobytes = (bytes: number) => `${Math.ceil(bytes / 1_000)} kB`

function outcomeOf(room: string, budget: number): Outcome {
  const dist = join(ROOT, room, 'dist')
  if (!existsSync(dist)) return failedBecause(`${room} is not built. Run make setup.`)
  const bytes = firstLoadBytes(dist)
  const told = `${room}: ${kilobytes(bytes)} of ${kilobytes(budget)}`
  return bytes <= budget ? { ...PASSED, detail: told } : failedBecause(told)
}

/** One check for each screen; it reports the size also when it passes. */
export function firstLoadChecks(): Check[] {
  return Object.entries(BUDGET_BYTES)
    .filter(([room]) => isScreen(ROOT, room))
    .map(([room, budget]) => ({
      name: `first load of ${room}`,
      run: async () => outcomeOf(room, budget),
    }))
}
