/** The permitted imports of the DNS daemon, as lint rules. */
import type { OxlintOverride } from 'oxlint'
import { type Ban, into, nothingOfOurs, rule, TESTS, WORKSPACES } from './boundary-rule.ts'

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
  'live-queries': ['names', 'table', 'query-counts', 'store'],
  server: ['names', 'table', 'wire', 'zone', 'settings', 'hot-path', 'query-counts', 'answer'],
  metrics: ['names', 'table', 'query-counts', 'store', 'count-writing', 'live-queries', 'server'],
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

export const DNSD_RULES = [
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
