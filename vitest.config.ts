import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import './scripts/memory-folder.ts'
import './scripts/system-path.ts'
import { LongestFirst } from './test/longest-first.ts'

/** Files of a room share a worker and what it has loaded, which takes longer than most of them do; none leaves anything behind. */
const isolate = false

/** What is waited for comes in milliseconds. On a busy machine it takes longer, and only a failure waits to the end. */
const expect = { poll: { timeout: 15_000, interval: 20 } }

/** For what hangs. What computes for ten seconds takes two minutes on a machine that is slow and busy. */
const limits = { testTimeout: 180_000, hookTimeout: 180_000 }

/** Room of tests that need no database: they start at once. */
const pure = (name: string, root: string, include: string[]) => ({
  test: { name, root, include, isolate, expect, ...limits },
})

/** The room of a program that runs from its build. */
const commands = (name: string, root: string, include: string[]) => ({
  test: {
    name,
    root,
    include,
    isolate,
    expect,
    globalSetup: new URL(`./${root}/test/global-build.ts`, import.meta.url).pathname,
    ...limits,
  },
})

/** Screens in a document of jsdom, over the mock API of the contract. */
const screens = (name: string) => ({
  // As Node resolves what packages import of each other: one react-router for react-admin and for our screens.
  resolve: { conditions: ['module-sync', 'node', 'import', 'default'] },
  test: {
    name,
    root: name,
    include: ['src/**/*.test.{ts,tsx}'],
    environment: 'jsdom',
    env: { DEBUG_PRINT_LIMIT: '3000' },
    silent: 'passed-only' as const,
    setupFiles: [new URL(`./${name}/test/setup.ts`, import.meta.url).pathname],
    isolate,
    expect,
    ...limits,
  },
})

/** Rooms that use the embedded PostgreSQL of `test/global-postgres.ts`, one database per file. */
const onPostgres = (name: string, root: string, include: string[]) => ({
  test: {
    name,
    root,
    include,
    isolate,
    expect,
    globalSetup: new URL('./test/global-postgres.ts', import.meta.url).pathname,
    ...limits,
  },
})

/** Rooms whose files use the whole service: the one of `shared-service.ts`, or one that they start. */
const journeys = (name: string, root: string, include: string[]) => ({
  test: {
    name,
    root,
    include,
    isolate,
    globalSetup: new URL('./e2e/support/shared-service.ts', import.meta.url).pathname,
    ...limits,
    expect,
  },
})

export default defineConfig({
  test: {
    pool: 'forks',
    // Files wait for PostgreSQL, for processes that start and for time to pass: one more than there are cores keeps all busy.
    maxWorkers: Math.min(availableParallelism() + 1, 4),
    reporters: ['default'],
    sequence: { sequencer: LongestFirst },
    projects: [
      pure('house', '.', ['scripts/**/*.test.ts', 'test/**/*.test.ts']),
      pure('openapi', 'openapi', ['src/**/*.test.ts', 'scripts/**/*.test.ts']),
      commands('cli', 'cli', ['src/**/*.test.ts', 'test/**/*.test.ts']),
      pure('theme', 'theme', ['src/**/*.test.ts']),
      screens('dashboard'),
      screens('admin'),
      pure('dnsd', 'dnsd', ['src/**/*.test.ts', 'test/{rfc,server,fuzz,counts}/**/*.test.ts']),
      onPostgres('dnsd-store', 'dnsd', ['test/store/**/*.test.ts']),
      onPostgres('api', 'api', ['src/**/*.test.ts', 'scripts/**/*.test.ts', 'test/**/*.test.ts']),
      journeys('e2e', 'e2e', ['**/*.test.ts']),
    ],
  },
})
