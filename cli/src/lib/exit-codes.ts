/** What a script learns from a command, beside its output. These numbers do not change. */
export const EXIT = {
  ok: 0,
  /** It did not work, for none of the reasons below. */
  failed: 1,
  /** The plan or a rate limit is used up. */
  limit: 3,
  /** Not signed in, or not allowed. */
  auth: 4,
  notFound: 5,
  /** Somebody has it, or changed it meanwhile. */
  conflict: 6,
  /** The service cannot be reached, or cannot serve at the moment. */
  network: 7,
  /** Understood and refused by a rule. */
  refused: 8,
  /** The command line is not right (EX_USAGE of sysexits.h). */
  usage: 64,
  closedPipe: 141,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

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
  'key-limit': EXIT.limit,
  'plan-required': EXIT.limit,
}

/** The exit code for a problem document of the API: its `code` decides before its status does. */
export function exitCodeOf(problem: { status: number; code?: string }): ExitCode {
  return BY_CODE[problem.code ?? ''] ?? BY_STATUS[problem.status] ?? EXIT.failed
}
