import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { roomCycleFindings } from './room-cycles.ts'

let root: string
beforeEach(() => (root = mkdtempSync(join(tmpdir(), 'homing-rooms-'))))
afterEach(() => rmSync(root, { recursive: true }))

function write(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, 'api/src', path)), { recursive: true })
    writeFileSync(join(root, 'api/src', path), text)
  }
}

test('rooms that import each other through a third are one finding, with an import for each step', () => {
  write({
    'feed/a.ts': `import { b } from '../jobs/b.ts'`,
    'jobs/b.ts': `import type { C } from '../features/auth/c.ts'`,
    'features/auth/c.ts': `import { a } from '../../feed/a.ts'`,
  })
  const findings = roomCycleFindings(root, ['api/src'])
  expect(findings).toHaveLength(1)
  expect(findings[0]).toContain('api/src: cycle between rooms feed → jobs → features/auth → feed')
  expect(findings[0]).toContain('jobs/b.ts imports features/auth/c.ts')
})

test('imports within a room, from tests and in one direction do not form a cycle', () => {
  write({
    'feed/a.ts': `import { b } from './b.ts'`,
    'feed/b.ts': `import { a } from './a.ts'\nimport { q } from '../queue/q.ts'`,
    'queue/q.ts': 'export const q = 1',
    'queue/q.test.ts': `import { a } from '../feed/a.ts'`,
    'features/auth/c.ts': `import { a } from '../../feed/a.ts'`,
    'features/plans/d.ts': `import { a } from '../../feed/a.ts'`,
  })
  expect(roomCycleFindings(root, ['api/src'])).toEqual([])
})
