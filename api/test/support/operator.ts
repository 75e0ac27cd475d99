/** An operator at a shell: a database, a folder for files, and the commands of `api/scripts`. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll } from 'vitest'
import { type FeedWorld, openFeedWorld } from './feed-world.ts'

/** The compile cache of Node.js, as in `npm run`: a script that was run before starts in half the processor time. */
const NODE_COMPILE_CACHE = fileURLToPath(
  new URL('../../../node_modules/.cache/node', import.meta.url),
)

export interface Ran {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

export class Operator {
  world!: FeedWorld
  folder!: string

  async open(): Promise<void> {
    this.world = await openFeedWorld()
    this.folder = mkdtempSync(join(tmpdir(), 'homing-scripts-'))
  }

  async end(): Promise<void> {
    rmSync(this.folder, { recursive: true, force: true })
    await this.world.end()
  }

  /** Runs a script to its end. */
  run(script: string, args: readonly string[], environment: NodeJS.ProcessEnv = {}): Ran {
    const path = fileURLToPath(new URL(`../../scripts/${script}.ts`, import.meta.url))
    const { status, stdout, stderr } = spawnSync(process.execPath, [path, ...args], {
      encoding: 'utf8',
      env: {
        PATH: process.env['PATH'],
        NODE_COMPILE_CACHE,
        DATA_DIR: this.folder,
        SECRET_KEY: 'k'.repeat(32),
        DATABASE_URL: this.world.url,
        ...environment,
      },
    })
    return { status, stdout, stderr }
  }

  /** A file in the folder. @returns its path */
  fileOf(name: string, text: string): string {
    const path = join(this.folder, name)
    writeFileSync(path, text)
    return path
  }
}

/** The operator of a file of tests. It is open inside tests. */
export function useOperator(): Operator {
  const opened = new Operator()
  beforeAll(() => opened.open())
  afterAll(() => opened.end())
  return opened
}
