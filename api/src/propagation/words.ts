/** The result of a check in one sentence, or in one for each state. */
import type { PropagationState } from '@homing/openapi/vocabulary'
import type { CheckedServer, Expected } from './types.ts'

/** `a`, `a and b`, `a, b and c`. */
export function listed(texts: readonly string[]): string {
  const last = texts.at(-1) ?? ''
  return texts.length < 2 ? last : `${texts.slice(0, -1).join(', ')} and ${last}`
}

/** From the state that concerns users most. A name server with several addresses counts by its worst one. */
const WORST_FIRST = [
  'different',
  'not-serving',
  'unreachable',
  'behind',
  'current',
  'not-checked',
] as const satisfies readonly PropagationState[]

/** The state of each name server. */
function statesOf(servers: readonly CheckedServer[]): PropagationState[] {
  const names = [...new Set(servers.map(({ hostname }) => hostname))]
  return names.map((name) => {
    const states = servers.filter(({ hostname }) => hostname === name).map(({ state }) => state)
    return WORST_FIRST.find((state) => states.includes(state)) ?? 'not-checked'
  })
}

const answer = ({ addresses }: Expected): string =>
  addresses.length === 0 ? 'that the domain has no address' : listed(addresses)

function allAnswer(count: number, expected: Expected): string {
  if (count === 1) return `The name server answers ${answer(expected)}.`
  return `${count === 2 ? 'Both' : `All ${count}`} name servers answer ${answer(expected)}.`
}

/** `is behind: serial 12, newest 15`; of several servers, the one that is furthest behind. */
function behind(servers: readonly CheckedServer[], { serial: newest }: Expected): string {
  const serials = servers.flatMap(({ state, serial }) =>
    state === 'behind' && serial !== null ? [serial] : [],
  )
  // By the distance to the newest one (RFC 1982): the lowest number is not the oldest after a wrap.
  const [oldest] = serials.toSorted((a, b) => ((newest - b) >>> 0) - ((newest - a) >>> 0))
  return new Set(serials).size > 1
    ? `behind: the oldest serial is ${oldest}, the newest ${newest}`
    : `behind: serial ${oldest}, newest ${newest}`
}

/** What servers in a state do, as the end of a sentence. */
function predicate(
  state: PropagationState,
  isOne: boolean,
  servers: readonly CheckedServer[],
  expected: Expected,
): string {
  const does = isOne ? 'does' : 'do'
  const answers = isOne ? 'answers' : 'answer'
  const words: Readonly<Record<PropagationState, string>> = {
    different: `${answers} with other addresses than the domain publishes`,
    'not-serving': `${does} not serve the zone`,
    unreachable: `${does} not answer`,
    behind: `${isOne ? 'is' : 'are'} ${behind(servers, expected)}`,
    current: `${answers} ${answer(expected)}`,
    'not-checked': 'could not be asked',
  }
  return words[state]
}

/** The result of a check, for people. The first sentence says of how many name servers it speaks. */
export function summaryOf(servers: readonly CheckedServer[], expected: Expected): string {
  const states = statesOf(servers)
  const all = states.length
  if (all === 0) return 'The zone has no name servers.'
  const current = states.filter((state) => state === 'current').length
  if (current === all) return allAnswer(all, expected)
  const parts = WORST_FIRST.flatMap((state) => {
    const count = states.filter((each) => each === state).length
    return count === 0 ? [] : [[count, predicate(state, count === 1, servers, expected)] as const]
  })
  return parts
    .map(([count, text], n) => {
      if (all === 1) return `The name server ${text}.`
      return n === 0 ? `${count} of ${all} name servers ${text}.` : `${count} ${text}.`
    })
    .join(' ')
}
