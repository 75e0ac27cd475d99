import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { lockFileFindings } from './lock-file.ts'

const root = `${mkdtempSync(join(tmpdir(), 'homing-lock-'))}/`
afterAll(() => rmSync(root, { recursive: true }))

function findings(packages: Record<string, object>): string[] {
  writeFileSync(`${root}package-lock.json`, JSON.stringify({ packages }))
  return lockFileFindings(root)
}

test('packages named by integrity and links to workspaces are right', () => {
  expect(
    findings({
      '': { name: 'homing' },
      api: { name: '@homing/api' },
      'node_modules/@homing/api': { resolved: 'api', link: true },
      'node_modules/pg': { integrity: 'sha512-x' },
    }),
  ).toEqual([])
})

test('a registry, and a package without integrity, are found', () => {
  expect(
    findings({
      'node_modules/a': { integrity: 'sha512-x', resolved: 'https://registry.test/a.tgz' },
      'node_modules/b': {},
    }),
  ).toEqual([
    'node_modules/a names the URL of its download: https://registry.test/a.tgz',
    'node_modules/b has no integrity',
  ])
})
