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

/** Room of tests for which a module of the project prepares something once, before the first file. */
const prepared = (setup: string, name: string, root: string, include: string[]) => ({
  test: {
    ...pure(name, root, include).test,
    globalSetup: new URL(setup, import.meta.url).pathname,
  },
})

/** The CLI runs from its build. */
const BUILT_CLI = './cli/test/global-build.ts'
/** One embedded PostgreSQL, with one database for each file. */
const POSTGRES = './test/global-postgres.ts'
/** The whole service: files use this one, or one that they start. */
const SERVICE = './e2e/support/shared-service.ts'

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
      prepared(BUILT_CLI, 'cli', 'cli', ['src/**/*.test.ts', 'test/**/*.test.ts']),
      pure('theme', 'theme', ['src/**/*.test.ts']),
      screens('dashboard'),
      screens('admin'),
      pure('dnsd', 'dnsd', ['src/**/*.test.ts', 'test/{rfc,server,fuzz,counts}/**/*.test.ts']),
      prepared(POSTGRES, 'dnsd-store', 'dnsd', ['test/store/**/*.test.ts']),
      prepared(POSTGRES, 'api', 'api', [
        'src/**/*.test.ts',
        'scripts/**/*.test.ts',
        'test/**/*.test.ts',
      ]),
      prepared(SERVICE, 'e2e', 'e2e', ['**/*.test.ts']),
    ],
  },
})
