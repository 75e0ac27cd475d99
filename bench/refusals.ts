/**
 * The cost of a refused update request from a caller that is known to guess, in
 * CPU time of the api, compared with one password evaluation.
 */
import { hash, verify } from '@node-rs/argon2'
import { randomBytes } from 'node:crypto'
import { newSecret } from '@homing/api/secrets'
import { load } from './support/load.ts'
import { insertNames, USERNAME } from './support/names.ts'
import { processMs } from './support/process-time.ts'
import { report } from './support/report.ts'
import { interleave, median } from './support/rounds.ts'
import { prepareService } from './support/service.ts'

const ROUNDS = 3
const SECONDS = 4
const EVALUATIONS = 40
/** The number of attempts after which a network has reached all rate limits. */
const GUESSES = 300

await using service = await prepareService()
const client = await service.connect()
await insertNames(client, 100)
const api = await service.startApi({ RATE_LIMITS: 'on' })

const basic = (username: string, password: string) =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
const requestOf = (authorization: string) => ({
  path: '/nic/update?hostname=n1.bench.test&myip=192.0.2.1',
  headers: { authorization, 'user-agent': 'bench/1' },
})
let guesses = 0
const another = () => `guess ${(guesses += 1)}`

/** The next credentials of each kind of caller. */
const CALLERS = {
  'the same wrong password again': () => basic(USERNAME, 'the password of last year'),
  'the same invalid token again': () => basic('any', DELETED),
  'other wrong passwords for one name': () => basic(USERNAME, another()),
  'other invalid tokens': () => basic('any', newSecret('update_token', randomBytes)),
  'one wrong password for other names': () => basic(another(), 'password'),
} as const
const DELETED = newSecret('update_token', randomBytes)

/** CPU time of the api per refusal, in milliseconds. */
async function refusalMs(next: () => string): Promise<number> {
  const before = processMs(api.pid ?? 0)
  const { answers } = await load({
    url: service.apiUrl,
    seconds: SECONDS,
    expected: /^(401 badauth|503 911)/,
    next: () => requestOf(next()),
  })
  return (processMs(api.pid ?? 0) - before) / answers
}

const stored = await hash('a password')
/** CPU time of one evaluation, in milliseconds. */
async function evaluationMs(): Promise<number> {
  const before = process.cpuUsage()
  for (let n = 0; n < EVALUATIONS; n += 1) await verify(stored, 'another password')
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000 / EVALUATIONS
}

// Warm-up: until the limit, the api evaluates or looks up each of them, because it does not yet know that the caller guesses.
for (const next of Object.values(CALLERS)) {
  for (let n = 0; n < GUESSES; n += 1) {
    const { path, headers } = requestOf(next())
    await (await fetch(`${service.apiUrl}${path}`, { headers })).arrayBuffer()
  }
}
const kinds = Object.keys(CALLERS) as (keyof typeof CALLERS)[]
const contenders = Object.fromEntries(kinds.map((kind) => [kind, () => refusalMs(CALLERS[kind])]))
const measured = await interleave<string, number>(ROUNDS, {
  evaluation: evaluationMs,
  ...contenders,
})
const evaluation = median(measured['evaluation'] ?? [])
const refusals = kinds.map((kind) => ({ kind, ms: median(measured[kind] ?? []) }))
report(
  'refusals',
  [
    { what: 'one evaluation of a password (argon2id)', value: evaluation, unit: 'ms of CPU' },
    ...refusals.map(({ kind, ms }) => ({ what: kind, value: ms, unit: 'ms of CPU' })),
  ],
  refusals.map(({ kind, ms }) => ({
    figure: `${kind} ÷ evaluation`,
    ratio: ms / evaluation,
    goal: '≤ 0.2',
    reached: ms / evaluation <= 0.2,
  })),
)
