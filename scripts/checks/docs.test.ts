import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { docsFindings } from './docs.ts'

const root = mkdtempSync(join(tmpdir(), 'homing-docs-'))
afterAll(() => rmSync(root, { recursive: true }))

beforeAll(() => {
  mkdirSync(join(root, 'api/docs'), { recursive: true })
  writeFileSync(join(root, 'Makefile'), 'VALUE := 1\nrun: setup\n\techo\n')
  writeFileSync(
    join(root, 'package.json'),
    JSON.stringify({ workspaces: ['api'], scripts: { 'zone:import': '' } }),
  )
  writeFileSync(join(root, 'api/package.json'), JSON.stringify({ scripts: { generate: '' } }))
  mkdirSync(join(root, 'cli'))
  writeFileSync(join(root, 'cli/command-snapshot.json'), '[{ "command": "domains add" }]')
  writeFileSync(join(root, 'api/docs/README.md'), '# A map, of folders\n')
})

function findings(text: string): string[] {
  writeFileSync(join(root, 'api/page.md'), text)
  return docsFindings(root)
}

test('links and commands that exist', () => {
  expect(
    findings(`[map](docs/README.md#a-map-of-folders) [up](../Makefile) [out](https://a.test)
We make everything. \`make run\`, \`npm run generate -w api\`
\`\`\`sh
npm run zone:import -- a.test file
npx homing domains add home.a.test
[not a link](nowhere)
\`\`\`
`),
  ).toEqual([])
})

test.each([
  ['[a](nowhere.md)', 'the target of the link nowhere.md does not exist'],
  ['[a](docs/README.md#gone)', 'the heading of the link docs/README.md#gone does not exist'],
  ['`make coffee`', 'make coffee is not in the Makefile'],
  ['```sh\nnpm run dance\n```', 'npm run dance is not in package.json'],
  ['`homing domains dance`', 'homing domains dance is not a command'],
  ['`homing domains add-notes`', 'homing domains add-notes is not a command'],
  ['`npm run zone:import -w api`', 'npm run zone:import is not in package.json'],
])('%s', (text, finding) => {
  expect(findings(text)).toEqual([`api/page.md: ${finding}`])
})

test('the index of decisions lists each with its title', () => {
  const folder = join(root, 'docs/decisions')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, '0001-a-name.md'), '# 0001 A name\n')
  const missing = 'docs/decisions/README.md: the row | [0001](0001-a-name.md) | A name | is missing'
  expect(findings('')).toEqual([missing])
  writeFileSync(join(folder, 'README.md'), '| [0001](0001-a-name.md) | A title |\n')
  expect(findings('')).toEqual([missing])
  writeFileSync(join(folder, 'README.md'), '| [0001](0001-a-name.md) | A name |\n')
  expect(findings('')).toEqual([])
})
