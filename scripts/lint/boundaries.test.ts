/** Each rule is shown a file that breaks it and one that does not: a boundary must refuse something. */
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { spawnSync } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DNSD_ROOMS } from './dnsd-boundaries.ts'

const ROOT = new URL('../../', import.meta.url).pathname
const tree = mkdtempSync(join(tmpdir(), 'homing-boundaries-'))
afterAll(() => rmSync(tree, { recursive: true }))

// [importing file, import, what the refusal says]
const REFUSED: [string, string, string][] = [
  ['openapi/src/a.ts', '@homing/api', 'openapi must not import other workspaces'],
  ['openapi/src/b.ts', '../../api/src/app.ts', 'openapi must not import other workspaces'],
  ['dnsd/src/main.ts', '@homing/openapi', 'dnsd must not import other workspaces'],
  ['dnsd/src/config.ts', '../../api/src/config/api.ts', 'dnsd must not import other workspaces'],
  ['dnsd/src/metrics.ts', 'dns-packet', 'dns-packet is for client and for tests'],
  ['dnsd/src/wire/c.ts', 'dns-packet', 'dns-packet is for client and for tests'],
  ['dnsd/src/wire/a.ts', '../store/follower.ts', 'wire may import only these rooms: names'],
  ['dnsd/src/wire/b.ts', '@homing/openapi', 'dnsd must not import other workspaces'],
  ['dnsd/src/names/a.ts', 'dns-packet', 'names is pure'],
  ['dnsd/src/names/b.ts', '../zone/zone.ts', 'names is pure'],
  ['dnsd/src/names/rdata/c.ts', 'node:net', 'names is pure'],
  ['dnsd/src/zone/a.ts', '../answer/find.ts', 'zone may import only these rooms: names, table'],
  [
    'dnsd/src/hot-path/a.ts',
    '../answer/find.ts',
    'hot-path may import only these rooms: names, table',
  ],
  [
    'dnsd/src/answer/a.ts',
    '../server/udp.ts',
    'answer may import only these rooms: names, wire, zone',
  ],
  ['dnsd/src/answer/b.ts', 'dns-packet', 'dns-packet is for client and for tests'],
  ['dnsd/src/server/a.ts', '../store/index.ts', 'server may import only these rooms:'],
  ['dnsd/src/server/b.ts', '../transfer/access.ts', 'server may import only these rooms:'],
  ['dnsd/src/server/c.ts', '../udp-worker.ts', 'Programs combine rooms'],
  [
    'dnsd/src/store/a.ts',
    '../answer/find.ts',
    'store may import only these rooms: names, table, zone',
  ],
  ['dnsd/src/store/disk/b.ts', '../../log.ts', 'Programs combine rooms'],
  ['dnsd/src/transfer/a.ts', '../client/index.ts', 'client is for other workspaces'],
  ['dnsd/src/answering.ts', './client/index.ts', 'client is for other workspaces'],
  ['dnsd/src/client/a.ts', '../wire/request.ts', 'client may import only these rooms: names'],
  ['dnsd/src/client/b.ts', '@homing/openapi', 'dnsd must not import other workspaces'],
  ['cli/src/a.ts', '@homing/dnsd/batch-socket', 'The CLI may import only the contract'],
  ['cli/src/c.ts', '@homing/dnsd', 'The CLI may import only the contract'],
  ['cli/src/d.ts', '@homing/api/database', 'The CLI may import only the contract'],
  ['cli/src/b.ts', '../../api/src/config/api.ts', 'The CLI may import only the contract'],
  ['api/src/a.ts', '@homing/dnsd', '@homing/dnsd/names'],
  ['api/src/b.ts', '@homing/dnsd/zone', '@homing/dnsd/names'],
  ['api/src/f.ts', '@homing/dnsd/client/ask.ts', '@homing/dnsd/names'],
  ['api/src/c.ts', '@homing/cli', '@homing/dnsd/names'],
  ['api/src/d.ts', '../../dnsd/src/main.ts', 'Import another workspace by its package name'],
  ['api/src/rules/a.ts', '../feed/publish.ts', 'Rules are pure'],
  ['api/src/rules/b.ts', 'knex', 'Rules are pure'],
  ['api/src/rules/c.ts', '../config/api.ts', 'Rules are pure'],
  ['api/src/models/a.ts', '../feed/publish.ts', 'feed → models → rules'],
  ['api/src/forwarder/a.ts', '../feed/publish.ts', 'The forwarder reads views'],
  ['api/src/forwarder/feed/b.ts', '../../models/domain.ts', 'The forwarder reads views'],
  [
    'api/src/monitoring/store/a.ts',
    '../../feed/publish.ts',
    'The store of monitoring only imports',
  ],
  ['api/src/feed/a.ts', '../features/zones/service.ts', 'features, jobs → feed'],
  ['api/src/feed/b.ts', '../plugins/problem.ts', 'features, jobs → feed'],
  ['api/src/plugins/a.ts', '../features/zones/service.ts', 'features → integrations'],
  ['api/src/integrations/a.ts', '../features/zones/service.ts', 'features → integrations'],
  ['api/src/credentials/a.ts', '../features/zones/service.ts', 'features → integrations'],
  ['api/src/features/zones/a.ts', '../domains/service.ts', 'A feature never imports another'],
  ['api/src/features/zones/b.ts', '../../features/domains/x.ts', 'A feature never imports'],
  ['api/src/features/zones/rules/c.ts', '../../domains/service.ts', 'A feature never imports'],
  ['api/src/e.ts', '@homing/theme', '@homing/dnsd/names'],
  ['theme/src/a.ts', '@homing/openapi/client', 'theme must not import other workspaces'],
  [
    'admin/src/a.ts',
    '@homing/dashboard',
    'admin may import only @homing/openapi and @homing/theme',
  ],
  ['admin/src/b.ts', '../../dashboard/src/app.ts', 'admin may import only @homing/openapi and'],
  ['admin/src/c.ts', '@homing/openapi', 'screens import @homing/openapi/client'],
  ['admin/src/d.ts', '@homing/openapi/mock', 'The mock API is for tests'],
  ['dashboard/src/api/b.ts', '@homing/openapi/mock', 'The mock API is for tests'],
  ['dashboard/src/screens/a.ts', '@homing/openapi/client', 'Only api/ may import the client'],
  [
    'dashboard/src/screens/b.ts',
    '@homing/api/database',
    'dashboard may import only @homing/openapi',
  ],
  ['dashboard/src/api/a.ts', '@homing/openapi', 'screens import @homing/openapi/client'],
  ['dashboard/src/components/a.ts', '../api/client.ts', 'Components must not access data'],
  ['dashboard/src/pages/a.ts', '../api/client.ts', 'they must not import the app'],
  ['dashboard/src/pages/b/b.ts', '../../screens/a.ts', 'they must not import the app'],
  ['dashboard/src/pages/c.ts', '@homing/openapi/client', 'Only api/ may import the client'],
  ['bench/a.ts', '@homing/dnsd/store', 'Of dnsd, benchmarks may import only @homing/dnsd/names'],
  [
    'e2e/a.ts',
    '@homing/dnsd/batch-socket',
    'Of dnsd, other workspaces may import only @homing/dnsd/names',
  ],
  ['e2e/support/a.ts', '../../dnsd/src/main.ts', 'Import another workspace by its package name'],
]

const ACCEPTED: [string, string][] = [
  ['openapi/src/good.ts', './other/schema.ts'],
  ['dnsd/src/names/good.ts', './rdata/field.ts'],
  ['dnsd/src/names/good.test.ts', 'fast-check'],
  ['dnsd/src/wire/good.ts', '../names/index.ts'],
  ['dnsd/src/client/good.ts', '../names/index.ts'],
  ['dnsd/src/client/good-codec.ts', 'dns-packet'],
  ['dnsd/src/zone/good.ts', '../names/index.ts'],
  ['dnsd/src/server/good.ts', '../answer/index.ts'],
  ['dnsd/src/transfer/good.ts', '../server/index.ts'],
  ['dnsd/src/udp-worker.ts', './transfer/access.ts'],
  ['dnsd/src/store/good.ts', '../zone/index.ts'],
  ['cli/src/good.ts', '@homing/openapi/client'],
  ['cli/src/good-dns.ts', '@homing/dnsd/client'],
  ['api/src/good.ts', '@homing/dnsd/names'],
  ['api/src/good-dns.ts', '@homing/dnsd/client'],
  ['api/src/rules/good.ts', '@homing/dnsd/names'],
  ['api/src/rules/words.ts', '@homing/openapi/vocabulary'],
  ['api/src/feed/good.ts', '../models/domain.ts'],
  ['api/src/forwarder/good.ts', '../rules/request-host.ts'],
  ['api/src/forwarder/feed/good.ts', '../../process/wake-up.ts'],
  ['api/src/monitoring/store/good.ts', '../../rules/uptime.ts'],
  ['api/src/jobs/good.ts', '../features/domains/service.ts'],
  ['api/src/features/zones/good.ts', '../../feed/publish.ts'],
  ['api/src/features/zones/rules/good.ts', '../service.ts'],
  ['theme/src/good.ts', './tokens.ts'],
  ['admin/src/good.ts', '@homing/openapi/client'],
  ['admin/src/look/good.ts', '@homing/theme'],
  ['admin/test/good.ts', '@homing/openapi/mock'],
  ['dashboard/test/good.ts', '@homing/openapi/mock'],
  ['dashboard/src/screens/good.ts', '../api/client.ts'],
  ['dashboard/src/api/good.ts', '@homing/openapi/client'],
  ['dashboard/src/pages/good.ts', '@homing/openapi/site'],
  ['bench/good.ts', '@homing/api/database'],
  ['bench/batches.ts', '@homing/dnsd/batch-socket'],
  ['bench/questions.ts', '@homing/dnsd/client'],
  ['e2e/dns.ts', '@homing/dnsd/client'],
  ['e2e/good.test.ts', '@homing/dnsd/names'],
]

interface Diagnostic {
  readonly code: string
  readonly filename: string
  readonly help?: string
}

const ROOMS = [...new Set([...REFUSED, ...ACCEPTED].map(([file]) => file.split('/', 1)[0] ?? ''))]

let diagnostics: readonly Diagnostic[] = []

function put(file: string, text: string): void {
  mkdirSync(dirname(join(tree, file)), { recursive: true })
  writeFileSync(join(tree, file), text)
}

beforeAll(() => {
  symlinkSync(join(ROOT, 'node_modules'), join(tree, 'node_modules'))
  for (const file of ['oxlint.config.ts', 'scripts/lint', 'package.json']) {
    cpSync(join(ROOT, file), join(tree, file), { recursive: true })
  }
  for (const [file, specifier] of [...REFUSED, ...ACCEPTED]) {
    put(file, `export { thing } from '${specifier}'\n`)
  }
  put('dashboard/src/screens/c.ts', `export { useMutation } from '@tanstack/react-query'\n`)
  put('dashboard/src/components/c.ts', `export { useMutation } from '@tanstack/react-query'\n`)
  put('cli/src/circle/one.ts', `import { two } from './two.ts'\nexport const one = () => two\n`)
  put('cli/src/circle/two.ts', `import { one } from './one.ts'\nexport const two = () => one\n`)
  const run = spawnSync('oxlint', ['--format=json', ...ROOMS], {
    cwd: tree,
    encoding: 'utf8',
  })
  diagnostics = (JSON.parse(run.stdout) as { diagnostics: Diagnostic[] }).diagnostics
})

const of = (file: string, rule: string) =>
  diagnostics.filter((each) => each.filename === file && each.code.includes(rule))

test.each(REFUSED)('%s may not import %s', (file, _specifier, message) => {
  expect(
    of(file, 'no-restricted-imports')
      .map((each) => each.help ?? '')
      .join(),
  ).toContain(message)
})

test.each(ACCEPTED)('%s may import %s', (file) => {
  expect(of(file, 'no-restricted-imports')).toEqual([])
})

test('screens change data with the lock of useWrite only', () => {
  const [refused] = of('dashboard/src/screens/c.ts', 'no-restricted-imports')
  expect(refused?.help).toContain('Screens change data with useWrite')
  expect(of('dashboard/src/components/c.ts', 'no-restricted-imports')).toEqual([])
})

test('a room of dnsd imports only rooms before it, and every folder is a room', () => {
  const rooms = Object.keys(DNSD_ROOMS)
  for (const [room, mayImport] of Object.entries(DNSD_ROOMS)) {
    const before = rooms.slice(0, rooms.indexOf(room))
    expect(mayImport.filter((each) => !before.includes(each))).toEqual([])
  }
  const entries = readdirSync(join(ROOT, 'dnsd/src'), { withFileTypes: true })
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  expect(folders.sort()).toEqual(rooms.sort())
})

test('files that import each other in a circle are refused', () => {
  expect(of('cli/src/circle/one.ts', 'no-cycle')).not.toEqual([])
})

test('no part imports values of node:http, which loads the client of fetch: api/src/process/node-http.ts', () => {
  const files = globSync('{api,dnsd}/src/**/*.ts', { cwd: ROOT }).filter(
    (file) => !file.endsWith('.test.ts'),
  )
  const importing = /\bimport (?!type\b)[^']*'node:http'/
  expect(files.filter((file) => importing.test(readFileSync(join(ROOT, file), 'utf8')))).toEqual([])
  expect(importing.test("import { type Server,\n  get } from 'node:http'")).toBe(true)
})
