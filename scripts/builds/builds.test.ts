import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { compressFolder } from './compress.ts'
import { firstLoadBytes } from './first-load.ts'
import { isBuilt, isScreen, sourcesDigest } from './sources.ts'

const folder = mkdtempSync(join(tmpdir(), 'homing-screens-'))
afterAll(() => rmSync(folder, { recursive: true }))

let tree: string
function put(file: string, text: string): void {
  mkdirSync(dirname(join(tree, file)), { recursive: true })
  writeFileSync(join(tree, file), text)
}

beforeEach(() => {
  tree = mkdtempSync(join(folder, 'tree-'))
  put('dashboard/vite.config.ts', 'config')
  put('dashboard/index.html', 'page')
  put('dashboard/src/main.tsx', 'main')
  put('theme/src/tokens.ts', 'tokens')
  put('cli/scripts/bundle.ts', 'bundle')
  put('cli/src/main.ts', 'main')
  put('package-lock.json', '{}')
})

test('a room with a configuration of the builder is a screen', () => {
  expect(isScreen(tree, 'dashboard')).toBe(true)
  expect(isScreen(tree, 'theme')).toBe(false)
})

test('a room with a script that bundles it can be built, and is not a screen', () => {
  expect([isBuilt(tree, 'dashboard'), isBuilt(tree, 'cli'), isBuilt(tree, 'theme')]).toEqual([
    true,
    true,
    false,
  ])
  expect(isScreen(tree, 'cli')).toBe(false)
})

test.each([
  ['cli/src/main.ts', true],
  ['cli/src/commands/new.ts', true],
  ['cli/oclif.manifest.json', true],
  ['cli/scripts/bundle.ts', true],
  ['openapi/src/types.gen.ts', true],
  ['dnsd/src/client/ask.ts', true],
  ['package-lock.json', true],
  ['cli/src/main.test.ts', false],
  ['cli/test/main.test.ts', false],
  ['cli/dist/src/main.js', false],
  ['dnsd/src/main.ts', false],
  ['theme/src/tokens.ts', false],
])('%s is a source of the CLI: %s', (file, isSource) => {
  const before = sourcesDigest(tree, 'cli')
  put(file, 'something')
  expect(sourcesDigest(tree, 'cli') !== before).toBe(isSource)
})

test.each([
  ['dashboard/src/main.tsx', 'a change'],
  ['dashboard/src/screens/new.tsx', 'a new file'],
  ['dashboard/public/favicon.svg', 'what is copied as it is'],
  ['theme/src/tokens.ts', 'the theme'],
  ['openapi/src/devices/storage.ts', 'the table of devices'],
  ['package-lock.json', 'a library'],
])('%s is a source: %s makes what was built stale', (file, text) => {
  const before = sourcesDigest(tree, 'dashboard')
  put(file, text)
  expect(sourcesDigest(tree, 'dashboard')).not.toBe(before)
})

test.each([
  'dashboard/src/main.test.tsx',
  'dashboard/dist/index.html',
  'admin/src/main.tsx',
  'api/src/app.ts',
])('%s is not a source', (file) => {
  const before = sourcesDigest(tree, 'dashboard')
  put(file, 'something')
  expect(sourcesDigest(tree, 'dashboard')).toBe(before)
})

test('text is compressed in two formats; small and already compressed files are not', () => {
  const script = 'const one = 1\n'.repeat(100)
  put('assets/index.js', script)
  put('assets/small.js', 'x')
  put('assets/font.woff2', script)
  compressFolder(tree)
  expect(gunzipSync(readFileSync(join(tree, 'assets/index.js.gz'))).toString()).toBe(script)
  expect(brotliDecompressSync(readFileSync(join(tree, 'assets/index.js.br'))).toString()).toBe(
    script,
  )
  for (const file of ['assets/small.js.gz', 'assets/font.woff2.br']) {
    expect(() => readFileSync(join(tree, file))).toThrow(/ENOENT/)
  }
})

test('the first load is every script of the page and its imports, each once', () => {
  const [scheme, index, shared, lazy] = [
    'scheme',
    'index '.repeat(50),
    'shared '.repeat(90),
    'lazy'.repeat(900),
  ]
  put('assets/scheme.js', scheme)
  put('assets/index.js', index)
  put('assets/shared.js', shared)
  put('assets/lazy.js', lazy)
  put(
    'index.html',
    `<script src="/assets/scheme.js"></script>
     <script type="module" crossorigin src="/assets/index.js"></script>
     <link rel="modulepreload" crossorigin href="/assets/shared.js">
     <link rel="stylesheet" href="/assets/index.css">`,
  )
  const expected = [scheme, index, shared].map((part) => gzipSync(part, { level: 9 }).length)
  expect(firstLoadBytes(tree)).toBe(expected.reduce((sum, each) => sum + each, 0))
})
