/**
 * The permitted imports between workspaces and folders, as lint rules.
 *
 *     cli, api → openapi      openapi → no other workspace      dnsd → no other workspace
 *     dashboard, admin → openapi's client, theme; their test/ → openapi's mock      theme → no other workspace
 *     dashboard: screens → components, api → openapi         components do not access data
 *                pages → components, @homing/openapi/site    they have data from the service, and run on it
 *                all → @homing/openapi/vocabulary, @homing/openapi/devices
 *     api, cli, e2e → @homing/dnsd/names, @homing/dnsd/client; of dnsd nothing else
 *     bench → the same, and the sockets of dnsd, to measure them separately
 *     api:  features, jobs → feed → models → rules → @homing/dnsd/names, @homing/openapi/vocabulary
 *           features → integrations, plugins          a feature never imports another feature
 *     dnsd: by the list of its rooms below; only client imports dns-packet
 *
 * The rule of each room is complete, because the last rule whose folder matches
 * a file replaces the rules before it.
 */
import type { OxlintOverride } from 'oxlint'

interface Ban {
  /** Matches the text between the quotes of an import. */
  readonly regex: string
  /** Bans only these names of the module. */
  readonly importNames?: string[]
  /** The reason, and the alternative. */
  readonly message: string
}

function rule(files: string[], bans: readonly Ban[], excludeFiles: string[] = []): OxlintOverride {
  return {
    files,
    excludeFiles,
    rules: { 'no-restricted-imports': ['error', { patterns: [...bans] }] },
  }
}

/** A path out of its folder into one of the given rooms (folders or files). */
const into = (...rooms: string[]) => `^(\\.\\./)+(${rooms.join('|')})(/|\\.ts$|$)`

const WORKSPACES = ['admin', 'api', 'bench', 'cli', 'dashboard', 'dnsd', 'e2e', 'openapi', 'theme']
const others = (...mine: string[]) => WORKSPACES.filter((room) => !mine.includes(room))
const TESTS = ['**/*.test.ts', '**/test-support.ts']

/** Bans imports of another workspace, by its name or by a path. */
function nothingOfOurs(workspace: string): Ban[] {
  return ['^@homing/', into(...others(workspace), 'test', 'scripts')].map((regex) => ({
    regex,
    message: `${workspace} must not import other workspaces.`,
  }))
}

/**
 * The rooms of dnsd, each with the rooms that it may import. Each list names only rooms that come before it here, which
 * prevents cycles between rooms.
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
/** Programs and the files that assemble them, above all rooms. */
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
  {
    regex: '^\\.{1,2}/(\\.\\./)*client/',
    message: 'client is for other workspaces; the daemon must not import it.',
  },
  {
    regex: '^dns-packet$',
    message: 'dns-packet is for client and for tests; the daemon uses wire.',
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
      {
        regex: into(...banned),
        message: `${room} may import only these rooms: ${mayImport.join(', ')}.`,
      },
      {
        regex: into(...DNSD_TOP),
        message: 'Programs combine rooms; a room must not import a program.',
      },
    ],
    // A test of a room may combine it with the rooms above it.
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
        message: 'names is pure: it may import only its own files.',
      },
    ],
    TESTS,
  ),
]

/** Every room of dnsd except the exported ones. */
const CLOSED_DNSD = '^@homing/dnsd($|/[^cn]|/c[^l]|/n[^a]|/(client|names).)'

const API: readonly Ban[] = [
  {
    regex: `^@homing/(${others('dnsd', 'openapi').join('|')})(/|$)|${CLOSED_DNSD}`,
    message:
      'Of our packages, the api may import only @homing/openapi, @homing/dnsd/names and @homing/dnsd/client.',
  },
  {
    regex: into(...others('api')),
    message: 'Import another workspace by its package name.',
  },
]
const apiRoom = (files: string[], mayNot: string, message: string) =>
  rule(files, [...API, { regex: mayNot, message }])

const anotherFeature =
  'A feature never imports another; move shared code to rules, models or integrations.'

const API_RULES = [
  rule(['api/**'], API),
  rule(
    ['api/src/rules/**'],
    [
      ...API,
      {
        regex: '^(\\.\\./)+[a-z]|^@homing/openapi($|/[^v])|^(fastify|knex|pg|pg-boss)$',
        message:
          'Rules are pure: of our code, rules may import only @homing/dnsd/names and @homing/openapi/vocabulary.',
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
    'Imports go feed → models → rules.',
  ),
  apiRoom(
    ['api/src/feed/**'],
    into('features', 'integrations', 'jobs', 'plugins'),
    'Imports go features, jobs → feed → models, rules.',
  ),
  apiRoom(
    ['api/src/credentials/**', 'api/src/integrations/**', 'api/src/plugins/**'],
    into('features'),
    'Imports go features → integrations, plugins.',
  ),
  apiRoom(['api/src/features/*/*.ts'], '^\\.\\./[^./]+/|/features/', anotherFeature),
  apiRoom(['api/src/features/*/*/**'], '^\\.\\./\\.\\./[^./]+/|/features/', anotherFeature),
]

/** A screen runs in browsers. It imports only the client of the contract, and the theme. */
function screen(room: string): Ban[] {
  // A screen has a folder `api` of its own.
  const outside = `${into(...others(room, 'api'))}|^(\\.\\./)+api/(src|test)/`
  return [
    {
      regex: `^@homing/(${others('openapi', 'theme').join('|')})(/|$)|${outside}`,
      message: `${room} may import only @homing/openapi and @homing/theme of our packages.`,
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
  regex: '^@homing/openapi($|/[^dsv])',
  message: 'Only api/ may import the client of the service.',
}

/** Without the lock of `useWrite`, a double click sends two calls. */
const LOCKED_WRITES: Ban = {
  regex: '^@tanstack/react-query$',
  importNames: ['useMutation'],
  message: 'Screens change data with useWrite of @homing/theme/parts, which has a lock.',
}

const SCREEN_RULES = [
  rule(['theme/**'], nothingOfOurs('theme')),
  rule(['admin/**'], [...screen('admin'), MOCK_IS_FOR_TESTS, LOCKED_WRITES]),
  rule(['dashboard/**'], [...screen('dashboard'), CLIENT_ALONE, LOCKED_WRITES]),
  rule(['admin/test/**'], screen('admin')),
  rule(['dashboard/test/**'], screen('dashboard')),
  rule(['dashboard/src/api/**'], [...screen('dashboard'), MOCK_IS_FOR_TESTS]),
  rule(
    ['dashboard/src/components/**'],
    [
      ...screen('dashboard'),
      CLIENT_ALONE,
      { regex: into('api', 'pages', 'screens'), message: 'Components must not access data.' },
    ],
    TESTS,
  ),
  rule(
    ['dashboard/src/pages/**'],
    [
      ...screen('dashboard'),
      CLIENT_ALONE,
      {
        regex: into('api', 'screens'),
        message: 'Pages are rendered by the service: they must not import the app.',
      },
    ],
    TESTS,
  ),
]

/** Workspaces that use the service from outside: they import packages by name, and of dnsd only the open rooms. */
const outsiders = (closed: string, message: string): Ban[] => [
  { regex: closed, message },
  {
    regex: into(...others('bench', 'e2e')),
    message: 'Import another workspace by its package name.',
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
          'The CLI may import only the contract, @homing/openapi, and for DNS @homing/dnsd/names and @homing/dnsd/client.',
      },
    ],
  ),
  ...API_RULES,
  rule(
    ['e2e/**'],
    outsiders(
      CLOSED_DNSD,
      'Of dnsd, other workspaces may import only @homing/dnsd/names and @homing/dnsd/client.',
    ),
  ),
  rule(
    ['bench/**'],
    outsiders(
      '^@homing/dnsd($|/[^bcn]|/b[^a]|/c[^l]|/n[^a]|/(client|names).)',
      'Of dnsd, benchmarks may import only @homing/dnsd/names, @homing/dnsd/client and @homing/dnsd/batch-socket.',
    ),
  ),
]
