/**
 * Whether the timing or the text of a response reveals that an account exists: 500 samples per side, in turn, each from
 * its own network and for its own account, with all rate limits on. Arguments select calls by their
 * prefixes: `node bench/enumeration.ts login resend`.
 */
import { type Comparison, print, printComparisons, writeResults } from './support/report.ts'
import { median } from './support/rounds.ts'
import { prepareService } from './support/service.ts'
import { BEHIND_PROXY, insertPeople, insist, networkOf, type Reply } from './support/strangers.ts'

const SAMPLES = 500
const WARM_UP = 20
/** Medians count as equal when they differ by no more than one of these. */
const SHARE_LIMIT = 0.05
const DIFFERENCE_LIMIT_MS = 5

const count = SAMPLES + WARM_UP
await using service = await prepareService()
const client = await service.connect()
const password = 'nobody guesses this'
await insertPeople(client, { name: 'there', password, count, isVerified: true })
await insertPeople(client, { name: 'waits', password, count, isVerified: false })
await service.startApi(BEHIND_PROXY)

interface Question {
  readonly what: string
  readonly path: string
  /** @param name of an existing or a missing account */
  readonly body: (name: string, n: number) => object
  /** The name prefixes of existing and of missing accounts. */
  readonly sides: readonly [string, string]
}

const QUESTIONS: readonly Question[] = [
  {
    what: 'login by name',
    path: '/api/login',
    body: (name) => ({ username_or_email: name, password: 'wrong' }),
    sides: ['there', 'absent'],
  },
  {
    what: 'login by address',
    path: '/api/login',
    body: (name) => ({ username_or_email: `${name}@mail.test`, password: 'wrong' }),
    sides: ['there', 'absent'],
  },
  {
    what: 'register with an address',
    path: '/api/register',
    body: (name, n) => ({ username: `new-${n}`, email: `${name}@mail.test`, password }),
    sides: ['there', 'unheard'],
  },
  {
    what: 'forgot-password',
    path: '/api/forgot-password',
    body: (name) => ({ email: `${name}@mail.test` }),
    sides: ['there', 'absent'],
  },
  {
    what: 'resend-verification',
    path: '/api/resend-verification',
    body: (name) => ({ email: `${name}@mail.test` }),
    sides: ['waits', 'absent'],
  },
]

/** Headers that differ between any two responses, or that repeat parts of the request. */
const VARYING = new Set(['date', 'etag', 'content-length'])
function sayingOf({ status, text, headers }: Reply, asked: object): string {
  const said = [...headers].filter(([name]) => !VARYING.has(name))
  let words = text.replace(/"requestId":"[^"]+"/, '')
  for (const value of Object.values(asked)) words = words.replaceAll(JSON.stringify(value), '')
  return JSON.stringify([status, said, words])
}

const chosen = process.argv.slice(2)
const asked = QUESTIONS.filter(
  ({ what }) => chosen.length === 0 || chosen.some((beginning) => what.startsWith(beginning)),
)

let networks = 0
let names = 0
const comparisons: Comparison[] = []
for (const { what, path, body, sides } of asked) {
  const times: [number[], number[]] = [[], []]
  const sayings = new Set<string>()
  for (let n = 0; n < count; n += 1) {
    // The sides alternate in order, because the machine's other load can be periodic.
    for (const side of n % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const question = body(`${sides[side]}${n}`, (names += 1))
      const ip = networkOf((networks += 1))
      const reply = await insist(ip, `${service.apiUrl}${path}`, question)
      if (n < WARM_UP) continue
      times[side].push(reply.ms)
      sayings.add(sayingOf(reply, question))
    }
  }
  const [there, absent] = [median(times[0]), median(times[1])]
  const difference = Math.abs(there - absent)
  const share = difference / Math.max(there, absent)
  const isAlike = share <= SHARE_LIMIT || difference <= DIFFERENCE_LIMIT_MS
  print(
    `${what.padEnd(26)} ${there.toFixed(2).padStart(8)} ms there ${absent.toFixed(2).padStart(8)} ms not   ${(share * 100).toFixed(1)} %   ${sayings.size} kind of answer`,
  )
  if (sayings.size > 1) print([...sayings].join('\n'))
  comparisons.push(
    {
      figure: `${what}: difference of medians, ms`,
      ratio: difference,
      goal: '≤ 5, or 5 %',
      reached: isAlike,
    },
    {
      figure: `${what}: different responses`,
      ratio: sayings.size,
      goal: '1',
      reached: sayings.size === 1,
    },
  )
}
printComparisons(comparisons)
writeResults('enumeration', { samples: SAMPLES, comparisons })
