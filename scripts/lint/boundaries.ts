/**
 * Who may import whom, as lint rules.
 *
 *     cli, api → openapi      openapi → nothing of ours      dnsd → nothing of ours
 *     dashboard, admin → openapi's client, theme; their test/ → openapi's mock      theme → nothing of ours
 *     dashboard: screens → components, api → openapi         components hold no data access
 *     api, cli, e2e → @homing/dnsd/names, @homing/dnsd/client and nothing else of dnsd
 *     bench → the same, and the sockets of dnsd, to measure them alone
 *     api:  features, jobs → feed → models → rules → @homing/dnsd/names
 *           features → integrations, plugins          a feature never imports another feature
 *     dnsd: by the list of its rooms below; client alone imports dns-packet
 *
 * A rule of a room is complete in itself, because the last one whose folder
 * matches a file replaces those before it.
 */
import type { OxlintOverride } from 'oxlint'

interface Ban {
  /** Of the text between the quotes of an import. */
  readonly regex: string
  /** Why, and where to go instead. */
  readonly message: string
}

function rule(files: string[], bans: readonly Ban[], excludeFiles: string[] = []): OxlintOverride {
  return {
    files,
    excludeFiles,
    rules: { 'no-restricted-imports': ['error', { patterns: [...bans] }] },
  }
}

/** A path that climbs out of its folder into one of the rooms (folders or files) named. */
const into = (...rooms: string[]) => `^(\\.\\./)+(${rooms.join('|')})(/|\\.ts$|$)`

const WORKSPACES = ['admin', 'api', 'bench', 'cli', 'dashboard', 'dnsd', 'e2e', 'openapi', 'theme']
const others = (...mine: string[]) => WORKSPACES.filter((room) => !mine.includes(room))
const TESTS = ['**/*.test.ts', '**/test-support.ts']

/** Nothing of another workspace, by its name or by a path. */
function nothingOfOurs(workspace: string): Ban[] {
  return ['^@homing/', into(...others(workspace), 'test', 'scripts')].map((regex) => ({
    regex,
    message: `${workspace} imports nothing of ours.`,
  }))
}

/**
 * The rooms of dnsd, each with the rooms that it may import. A room stands below those that import it, and each list names
 * rooms that stand before it here: so there is no cycle between rooms.
 */
export const DNSD_ROOMS: Readonly<Record<string, readonly string[]>> = {
  names: [],
  client: ['names'],
  table: ['names'],
  wire: ['names'],
  zone: ['names', 'table'],
  settings: ['names', 'wire'],
  'hot-path': ['names', 'table', 'wire'],
  'query-counts': ['names', 'table', 'hot-path'],
  answer: ['names', 'wire', 'zone'],
  store: ['names', 'table', 'zone'],
  'count-writing': ['table', 'query-counts', 'store'],
  server: ['names', 'table', 'wire', 'zone', 'settings', 'hot-path', 'query-counts', 'answer'],
  metrics: ['names', 'table', 'query-counts', 'store', 'count-writing', 'server'],
  transfer: ['names', 'wire', 'zone', 'settings', 'store', 'server', 'metrics'],
}
/** Programs and what puts them together: files that stand above all rooms. */
const DNSD_TOP = [
  'answering',
  'config',
  'log',
  'main',
  'metrics-server',
  'query-counting',
  'stop-signal',
  'udp-worker',
]

const DNSD: readonly Ban[] = [
  ...nothingOfOurs('dnsd'),
  { regex: '^\\.{1,2}/(\\.\\./)*client/', message: 'The daemon answers; client asks, for others.' },
  {
    regex: '^dns-packet$',
    message: 'dns-packet is for client and for tests; the daemon has wire.',
  },
]

function dnsdRoom(room: string, mayImport: readonly string[]): OxlintOverride {
  const banned = Object.keys(DNSD_ROOMS).filter(
    (each) => each !== room && !mayImport.includes(each),
  )
  return rule(
    [`dnsd/src/${room}/**`],
    [
      ...(room === 'client' ? nothingOfOurs('dnsd') : DNSD),
      { regex: into(...banned), message: `${room} imports no rooms but ${mayImport.join(', ')}.` },
      { regex: into(...DNSD_TOP), message: 'Rooms are put together by programs, and import none.' },
    ],
    // A test of a room may put it together with those above it.
    room === 'client' ? [] : TESTS,
  )
}

const DNSD_RULES = [
  rule(['dnsd/src/**'], DNSD),
  ...Object.entries(DNSD_ROOMS).map(([room, mayImport]) => dnsdRoom(room, mayImport)),
  rule(
    ['dnsd/src/names/**'],
    [
      {
        regex: `^@|^[a-z]|${into(...Object.keys(DNSD_ROOMS), ...WORKSPACES)}`,
        message: 'names is pure: it imports its own files alone.',
      },
    ],
    TESTS,
  ),
]

/** Every room of dnsd but those that it exports. */
const CLOSED_DNSD = '^@homing/dnsd($|/[^cn]|/c[^l]|/n[^a]|/(client|names).)'

const API: readonly Ban[] = [
  {
    regex: `^@homing/(${others('dnsd', 'openapi').join('|')})(/|$)|${CLOSED_DNSD}`,
    message: 'The api imports @homing/openapi, @homing/dnsd/names and @homing/dnsd/client of ours.',
  },
  {
    regex: into(...others('api')),
    message: 'Another workspace is imported by its package name.',
  },
]
const apiRoom = (files: string[], mayNot: string, message: string) =>
  rule(files, [...API, { regex: mayNot, message }])

const anotherFeature =
  'A feature never imports another; what two share moves to rules, models or integrations.'

const API_RULES = [
  rule(['api/**'], API),
  rule(
    ['api/src/rules/**'],
    [
      ...API,
      {
        regex: '^(\\.\\./)+[a-z]|^@homing/openapi|^(fastify|knex|pg|pg-boss)$',
        message: 'Rules are pure: rules imports nothing of ours but @homing/dnsd/names.',
      },
    ],
    TESTS,
  ),
  apiRoom(
    ['api/src/update-protocol/**'],
    into(
      'caller',
      'credentials',
      'database',
      'feed',
      'features',
      'integrations',
      'models',
      'plugins',
    ),
    'The update protocol reads requests and writes answers: it imports rules only.',
  ),
  apiRoom(
    ['api/src/models/**'],
    into('feed', 'features', 'integrations', 'jobs', 'plugins'),
    'The way is feed → models → rules.',
  ),
  apiRoom(
    ['api/src/feed/**'],
    into('features', 'integrations', 'jobs', 'plugins'),
    'The way is features, jobs → feed → models, rules.',
  ),
  apiRoom(
    ['api/src/credentials/**', 'api/src/integrations/**', 'api/src/plugins/**'],
    into('features'),
    'The way is features → integrations, plugins.',
  ),
  apiRoom(['api/src/features/*/*.ts'], '^\\.\\./[^./]+/|/features/', anotherFeature),
  apiRoom(['api/src/features/*/*/**'], '^\\.\\./\\.\\./[^./]+/|/features/', anotherFeature),
]

/** A screen runs in browsers: it knows the service by the client of its contract, and the theme. */
function screen(room: string): Ban[] {
  // A screen has a folder `api` of its own.
  const outside = `${into(...others(room, 'api'))}|^(\\.\\./)+api/(src|test)/`
  return [
    {
      regex: `^@homing/(${others('openapi', 'theme').join('|')})(/|$)|${outside}`,
      message: `${room} imports @homing/openapi and @homing/theme of ours.`,
    },
    {
      regex: '^@homing/openapi(/openapi.json)?$',
      message: 'The contract itself is large; screens import @homing/openapi/client.',
    },
  ]
}

const MOCK_IS_FOR_TESTS: Ban = {
  regex: '^@homing/openapi/mock$',
  message: 'The mock API is for tests: import it in test/.',
}

const CLIENT_ALONE: Ban = {
  regex: '^@homing/openapi',
  message: 'api/ is the only door to the service.',
}

const SCREEN_RULES = [
  rule(['theme/**'], nothingOfOurs('theme')),
  rule(['admin/**'], [...screen('admin'), MOCK_IS_FOR_TESTS]),
  rule(['dashboard/**'], [...screen('dashboard'), CLIENT_ALONE]),
  rule(['admin/test/**'], screen('admin')),
  rule(['dashboard/test/**'], screen('dashboard')),
  rule(['dashboard/src/api/**'], [...screen('dashboard'), MOCK_IS_FOR_TESTS]),
  rule(
    ['dashboard/src/components/**'],
    [
      ...screen('dashboard'),
      CLIENT_ALONE,
      { regex: into('api', 'screens'), message: 'Components hold no data access.' },
    ],
    TESTS,
  ),
]

/** What looks at the service from outside: its packages by their names, and of dnsd what is open to it. */
const outsiders = (closed: string, message: string): Ban[] => [
  { regex: closed, message },
  {
    regex: into(...others('bench', 'e2e')),
    message: 'Another workspace is imported by its package name.',
  },
]

export const boundaries: OxlintOverride[] = [
  rule(['openapi/**'], nothingOfOurs('openapi')),
  ...SCREEN_RULES,
  ...DNSD_RULES,
  rule(
    ['cli/**'],
    [
      {
        regex: `^@homing/(${others('cli', 'dnsd', 'openapi').join('|')})(/|$)|${CLOSED_DNSD}|${into(...others('cli'))}`,
        message:
          'The CLI knows the service by its contract, @homing/openapi, and DNS by @homing/dnsd/names and @homing/dnsd/client.',
      },
    ],
  ),
  ...API_RULES,
  rule(
    ['e2e/**'],
    outsiders(CLOSED_DNSD, 'Of dnsd, others import @homing/dnsd/names and @homing/dnsd/client.'),
  ),
  rule(
    ['bench/**'],
    outsiders(
      '^@homing/dnsd($|/[^bcn]|/b[^a]|/c[^l]|/n[^a]|/(client|names).)',
      'Of dnsd, benchmarks import @homing/dnsd/names, @homing/dnsd/client and @homing/dnsd/batch-socket.',
    ),
  ),
]
