/** Exit codes, for scripts. These numbers do not change. */
export const EXIT = {
  ok: 0,
  /** Failed for another reason than those below; also when the user answers no. */
  failed: 1,
  /** A plan limit or rate limit was reached. */
  limit: 3,
  /** Not signed in, or not allowed. */
  auth: 4,
  notFound: 5,
  /** Already taken, or changed by somebody in the meantime. */
  conflict: 6,
  /** The service cannot be reached, or cannot serve at the moment. */
  network: 7,
  /** Understood and refused by a rule. */
  refused: 8,
  /** Invalid command line (EX_USAGE of sysexits.h). */
  usage: 64,
  /** Ctrl-C, as a shell reports SIGINT. */
  interrupted: 130,
  /** The reader of the output has closed the pipe, as a shell reports SIGPIPE. */
  closedPipe: 141,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** One line each, for `homing help exit-codes`. 2 is not used: other programs use it for an invalid command line. */
export const EXIT_MEANINGS: readonly (readonly [ExitCode, string])[] = [
  [EXIT.ok, 'done'],
  [EXIT.failed, 'failed, or you answered no'],
  [EXIT.limit, 'a plan limit or rate limit was reached'],
  [EXIT.auth, 'not signed in, or not allowed'],
  [EXIT.notFound, 'not found'],
  [EXIT.conflict, 'already taken, or changed by somebody in the meantime'],
  [EXIT.network, 'the service cannot be reached, or cannot serve at the moment'],
  [EXIT.refused, 'refused by a rule'],
  [EXIT.usage, 'invalid command line'],
  [EXIT.interrupted, 'stopped with Ctrl-C'],
  [EXIT.closedPipe, 'the output pipe was closed'],
]

const BY_STATUS: Readonly<Record<number, ExitCode>> = {
  401: EXIT.auth,
  403: EXIT.auth,
  404: EXIT.notFound,
  409: EXIT.conflict,
  412: EXIT.conflict,
  422: EXIT.refused,
  423: EXIT.refused,
  429: EXIT.limit,
  502: EXIT.network,
  503: EXIT.network,
  504: EXIT.network,
}

const BY_CODE: Readonly<Record<string, ExitCode>> = {
  'domain-limit': EXIT.limit,
  'domain-locked': EXIT.refused,
  'forward-disabled': EXIT.refused,
  'key-limit': EXIT.limit,
  'no-subscription': EXIT.notFound,
  // The operator must set it up: waiting does not help.
  'payments-unavailable': EXIT.refused,
  'plan-required': EXIT.limit,
  'record-limit': EXIT.limit,
  'stealth-limit': EXIT.limit,
  'zone-limit': EXIT.limit,
  'zone-not-active': EXIT.refused,
}

/** The exit code for a problem document of the API: its `code` decides before its status does. */
export function exitCodeOf(problem: { status: number; code?: string }): ExitCode {
  return BY_CODE[problem.code ?? ''] ?? BY_STATUS[problem.status] ?? EXIT.failed
}
