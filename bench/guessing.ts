/**
 * 10,000 password guesses: how many of them the service evaluates, and whether the owner can still
 * sign in. The CAPTCHA is off, because the limits must hold without one.
 */
import { type Comparison, print, printComparisons, writeResults } from './support/report.ts'
import { prepareService } from './support/service.ts'
import { BEHIND_PROXY, forEach, insertPeople, insist, networkOf } from './support/strangers.ts'

const GUESSES = 10_000
const AT_ONCE = 8
const PASSWORD = 'what the owner knows'
/** Networks without guesses. */
const HOME = '192.0.2.7'
const ELSEWHERE = '198.51.100.7'

await using service = await prepareService()
const client = await service.connect()
await insertPeople(client, { name: 'ada', password: PASSWORD, count: GUESSES, isVerified: true })
await service.startApi(BEHIND_PROXY)

interface Guess {
  readonly ip: string
  readonly name: string
  readonly password: string
}

const signIn = ({ ip, name, password }: Guess) =>
  insist(ip, `${service.apiUrl}/api/login`, { username_or_email: name, password })

/** Sends guesses. @returns how many were evaluated; the others hit a rate limit */
async function evaluated(guess: (n: number) => Guess): Promise<number> {
  const statuses = new Map<number, number>()
  await forEach(GUESSES, AT_ONCE, async (n) => {
    const { status } = await signIn(guess(n))
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  })
  const odd = [...statuses.keys()].filter((status) => status !== 401 && status !== 429)
  if (odd.length > 0) throw new Error(`guesses were answered ${odd.join(', ')}`)
  return statuses.get(401) ?? 0
}

const getsIn = async (name: string, ip: string) =>
  (await signIn({ ip, name, password: PASSWORD })).status === 200

const comparisons: Comparison[] = []
function counted(figure: string, count: number, limit: number): void {
  comparisons.push({ figure, ratio: count, goal: `≤ ${limit}`, reached: count <= limit })
}
function ownerGotIn(figure: string, isIn: boolean): void {
  comparisons.push({ figure, ratio: Number(isIn), goal: '1', reached: isIn })
}

print(`${GUESSES} guesses each; a number is how many of them were evaluated`)
const fromOne = await evaluated((n) => ({ ip: networkOf(0), name: 'ada1', password: `guess ${n}` }))
counted('one account, from one network', fromOne, 20)
ownerGotIn(
  'its owner signs in from elsewhere with the correct password',
  await getsIn('ada1', ELSEWHERE),
)

// A network becomes known with a correct password.
await getsIn('ada2', HOME)
const fromMany = await evaluated((n) => ({
  ip: networkOf(1_000 + n),
  name: n % 2 === 0 ? 'ada2' : 'ada2@mail.test',
  password: `guess ${n}`,
}))
counted('one account by name and address, each from another network', fromMany, 20)
ownerGotIn('its owner signs in at home with the correct password', await getsIn('ada2', HOME))

const sprayed = await evaluated((n) => ({
  ip: networkOf(20_000),
  name: `ada${n}`,
  password: 'the password of the year',
}))
counted('one password for all accounts, from one network', sprayed, 100)
ownerGotIn(
  'an owner signs in from elsewhere with the correct password',
  await getsIn('ada3', ELSEWHERE),
)

const fromSite = await evaluated((n) => ({
  ip: `2001:db8:0:${n.toString(16)}::1`,
  name: `ada${n}`,
  password: 'the password of next year',
}))
counted('one password for all accounts, each from another /64 of one IPv6 /48', fromSite, 800)
ownerGotIn(
  'an owner signs in from elsewhere with the correct password',
  await getsIn('ada4', ELSEWHERE),
)

printComparisons(comparisons)
writeResults('guessing', { guesses: GUESSES, comparisons })
