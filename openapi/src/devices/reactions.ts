/**
 * What a program does with the answer of an update URL, and shows to its user: many programs report a success although nothing
 * was stored, or stop without a sign. The facts come from the sources of the programs.
 */
type Outcome = 'stored' | 'unchanged' | 'credentials' | 'unknown-domain' | 'later' | 'other'

const OUTCOMES: Readonly<Record<string, Outcome>> = {
  good: 'stored',
  OK: 'stored',
  nochg: 'unchanged',
  badauth: 'credentials',
  nohost: 'unknown-domain',
  '911': 'later',
}

type Reactions = Readonly<Record<Outcome, string>>

const DDCLIENT_FAILS = 'It logs a failure, and tries again after 5 minutes.'
const INADYN_STOPS =
  'It logs an error and stops for good. Start it again when the cause is corrected.'
const OPENWRT_CHECKS = 'It logs a failure, and tries again at its next check, after 10 minutes.'
const OPNSENSE_SUCCESS =
  'It takes every answer with the status 200 for a success, so its page shows no error.'

const REACTIONS: readonly { readonly agent: RegExp; readonly does: Reactions }[] = [
  {
    agent: /^ddclient/i,
    does: {
      stored: 'It logs a success.',
      unchanged: 'It logs a warning. Nothing is wrong with the address.',
      credentials: DDCLIENT_FAILS,
      'unknown-domain': DDCLIENT_FAILS,
      later: DDCLIENT_FAILS,
      other: DDCLIENT_FAILS,
    },
  },
  {
    agent: /^inadyn/i,
    does: {
      stored: 'It logs a success.',
      unchanged: 'It logs a success.',
      credentials: INADYN_STOPS,
      'unknown-domain': 'It logs an error, and tries again after about 2 minutes.',
      later: 'It logs an error, and tries again after 10 minutes.',
      other: INADYN_STOPS,
    },
  },
  {
    agent: /^uclient-fetch/i,
    does: {
      stored: 'It logs a success.',
      unchanged: 'It logs a success.',
      credentials: 'It logs a failed transfer, and tries again every minute.',
      'unknown-domain': OPENWRT_CHECKS,
      later: 'It logs a failed transfer, and tries again after a minute.',
      other: OPENWRT_CHECKS,
    },
  },
  {
    agent: /^opnsense/i,
    does: {
      stored: 'It shows a success.',
      unchanged: 'It shows a success.',
      credentials: 'It logs a failure.',
      'unknown-domain': OPNSENSE_SUCCESS,
      later: 'It logs a failure, and tries again.',
      other: OPNSENSE_SUCCESS,
    },
  },
]

/** Answers that inadyn repeats, beside those of a service that is not available. */
const INADYN_RETRIES = /^(dnserr|abuse)\b/

/**
 * What the program that sent a call does with the answer; undefined if its source is not known.
 *
 * @param userAgent the `User-Agent` of the program
 * @param answer the line of the response
 */
export function reactionTo(userAgent: string, answer: string): string | undefined {
  const known = REACTIONS.find(({ agent }) => agent.test(userAgent))
  if (known === undefined) return undefined
  const [code = ''] = answer.split(' ')
  const isRetried = known.agent.test('inadyn') && INADYN_RETRIES.test(answer)
  return known.does[isRetried ? 'later' : (OUTCOMES[code] ?? 'other')]
}
