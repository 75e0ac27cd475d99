/**
 * The permitted imports between workspaces and folders, as lint rules.
 *
 *     cli, api → openapi      openapi → no other workspace      dnsd → no other workspace
 *     dashboard, admin → openapi's client, theme; their test/ → openapi's mock      theme → no other workspace
 *     dashboard: screens → components, api → openapi         components do not access data
 *                pages → components, @homing/openapi/site    they have data from the service, and run on it
 *                all → @homing/openapi/vocabulary, @homing/openapi/devices, @homing/openapi/web-forward
 *     api, cli, e2e → @homing/dnsd/names, @homing/dnsd/client; of dnsd nothing else
 *     bench → the same, and the sockets of dnsd, to measure them separately
 *     api:  features, jobs → feed → models → rules → @homing/dnsd/names, @homing/openapi/vocabulary, @homing/openapi/web-forward
 *           features → integrations, plugins          a feature never imports another feature
 *           features, jobs → payments → feed, integrations
 *           delegation → integrations, rules, and the addresses of our name servers
 *           propagation → delegation, which asks servers, and the addresses of our name servers
 *           forwarder → database, integrations, limits, process, rules
 *           monitoring/store → database, models, rules
 *     dnsd: by the list of its rooms in dnsd-boundaries.ts; only client imports dns-packet
 *
 * The rule of each room is complete, because the last rule whose folder matches
 * a file replaces the rules before it.
 */
import type { OxlintOverride } from 'oxlint'
import { type Ban, into, nothingOfOurs, others, rule, TESTS } from './boundary-rule.ts'
import { DNSD_RULES } from './dnsd-boundaries.ts'

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
        regex: '^(\\.\\./)+[a-z]|^@homing/openapi($|/[^vw])|^(fastify|knex|pg|pg-boss)$',
        message:
          'Rules are pure: of our code, rules may import only @homing/dnsd/names, @homing/openapi/vocabulary and @homing/openapi/web-forward.',
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
    ['api/src/forwarder/**'],
    into('credentials', 'feed', 'features', 'jobs', 'live', 'models', 'plugins', 'queue', 'site'),
    'The forwarder reads views of the forward feed: it imports rules, limits and connections only.',
  ),
  apiRoom(
    ['api/src/delegation/**'],
    into('credentials', 'database', 'feed', 'features', 'jobs', 'models', 'plugins', 'queue'),
    'Walks know servers and rules only, and nothing of the database.',
  ),
  apiRoom(
    ['api/src/propagation/**'],
    into('credentials', 'database', 'feed', 'features', 'jobs', 'models', 'plugins', 'queue'),
    'Checks of propagation know name servers only, and nothing of the database.',
  ),
  apiRoom(
    ['api/src/models/**'],
    into('feed', 'features', 'integrations', 'jobs', 'plugins'),
    'Imports go feed → models → rules.',
  ),
  apiRoom(
    ['api/src/feed/**'],
    into('features', 'integrations', 'jobs', 'payments', 'plugins'),
    'Imports go features, jobs → feed → models, rules.',
  ),
  rule(
    ['api/src/payments/**'],
    [
      ...API,
      {
        regex: into('features', 'jobs', 'plugins'),
        message: 'Imports go features, jobs → payments → feed, integrations, models, rules.',
      },
    ],
    TESTS,
  ),
  apiRoom(
    ['api/src/monitoring/store/**'],
    into('feed', 'features', 'integrations', 'jobs', 'live', 'plugins'),
    'The store of monitoring only imports rules, models and the database.',
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
  regex: '^@homing/openapi($|/[^dsvw])',
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
