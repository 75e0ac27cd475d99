import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { databaseUrlOf, NoDatabase } from './database-url.ts'

let dataDir: string

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'homing-url-'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

test('a configured database takes precedence over a running service; without both, the error says what to do', () => {
  expect(() => databaseUrlOf({ databaseUrl: undefined, dataDir })).toThrow(NoDatabase)
  expect(() => databaseUrlOf({ databaseUrl: undefined, dataDir })).toThrow(/set DATABASE_URL/)
  mkdirSync(join(dataDir, 'run'))
  writeFileSync(join(dataDir, 'run/database-url'), 'postgresql://embedded/homing\n')
  expect(databaseUrlOf({ databaseUrl: undefined, dataDir })).toBe('postgresql://embedded/homing')
  expect(databaseUrlOf({ databaseUrl: 'postgresql://mine/db', dataDir })).toBe(
    'postgresql://mine/db',
  )
})
