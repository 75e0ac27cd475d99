/**
 * Builds the screens and the CLI if their sources changed since the last build. `make run`, `make test` and
 * `make setup` call it. With arguments, it builds only these rooms.
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { ROOT, runCommand } from '../checks/command.ts'
import { buildScreen } from './screen.ts'
import { bundlerOf, isBuilt, isScreen, sourcesDigest } from './sources.ts'

const ROOMS = ['dashboard', 'admin', 'cli'].filter((room) => isBuilt(ROOT, room))
/** The file beside the built files with the digest of their sources. */
const STAMP = '.built-from'
const PLACE_ATTEMPTS = 10
const PLACE_PAUSE_MS = 20

function isFresh(room: string, digest: string): boolean {
  const stamp = join(ROOT, room, 'dist', STAMP)
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === digest
}

/**
 * Replaces the previous build at once: a browser that loads a page meanwhile gets either the old
 * files or the new ones, and a build that fails leaves the old ones.
 */
async function putInPlace(built: string, dist: string): Promise<void> {
  const old = `${built}.old`
  for (let attempt = 1; ; attempt++) {
    try {
      rmSync(old, { recursive: true, force: true })
      if (existsSync(dist)) renameSync(dist, old)
      renameSync(built, dist)
      break
    } catch (error) {
      // Another build, for example by a second test file, is between its two renames.
      if (attempt === PLACE_ATTEMPTS) throw error
      await delay(PLACE_PAUSE_MS)
    }
  }
  rmSync(old, { recursive: true, force: true })
}

/** @throws Error with the output of a build that fails */
async function bundle(room: string, built: string): Promise<void> {
  const { exitCode, output } = await runCommand('node', bundlerOf(room), built)
  if (exitCode !== 0) throw new Error(`${room} could not be built:\n${output}`)
}

async function build(room: string, digest: string): Promise<void> {
  const start = performance.now()
  const cache = join(ROOT, 'node_modules/.cache/builds')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, `${room}-`))
  try {
    const built = join(folder, 'dist')
    if (isScreen(ROOT, room)) await buildScreen(room, folder, built)
    else await bundle(room, built)
    writeFileSync(join(built, STAMP), digest)
    await putInPlace(built, join(ROOT, room, 'dist'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  console.error(`built ${room} in ${((performance.now() - start) / 1_000).toFixed(1)} s`)
}

// A test run sets `test`, which would make a development build: larger, slower, and with inline styles.
process.env['NODE_ENV'] = 'production'
const asked = process.argv.slice(2)
const stale = ROOMS.filter((room) => asked.length === 0 || asked.includes(room))
  .map((room) => ({ room, digest: sourcesDigest(ROOT, room) }))
  .filter(({ room, digest }) => !isFresh(room, digest))
const outcomes = await Promise.allSettled(stale.map(({ room, digest }) => build(room, digest)))
for (const outcome of outcomes) {
  if (outcome.status === 'rejected') {
    console.error(outcome.reason instanceof Error ? outcome.reason.message : outcome.reason)
    process.exitCode = 1
  }
}
