/** What update URLs answer, and what people do about it. */

export interface UpdateAnswer {
  /** The first word of the line. */
  readonly codes: readonly string[]
  /** An example, if the line has more than the code. */
  readonly example?: string
  readonly status: 200 | 401 | 503
  readonly meaning: string
  readonly action: string
}

export const UPDATE_ANSWERS: readonly UpdateAnswer[] = [
  {
    codes: ['good'],
    example: 'good 192.0.2.7',
    status: 200,
    meaning: 'the address is stored; DNS answers with it a moment later',
    action: 'nothing',
  },
  {
    codes: ['nochg'],
    example: 'nochg 192.0.2.7',
    status: 200,
    meaning: 'the domain already has that address',
    action: 'update less often if you always get it',
  },
  {
    codes: ['badauth'],
    status: 401,
    meaning: 'username, password or token are wrong',
    action: 'correct them: correct credentials work at once',
  },
  {
    codes: ['nohost'],
    status: 200,
    meaning: 'the domain does not exist, is not yours, or is not the token’s domain',
    action: 'check its spelling',
  },
  {
    codes: ['notfqdn'],
    status: 200,
    meaning: 'the request has no domain, or one without a zone',
    action: 'send the full domain',
  },
  {
    codes: ['numhost'],
    status: 200,
    meaning: 'the request has more than 20 domains',
    action: 'send several requests',
  },
  {
    codes: ['dnserr'],
    status: 200,
    meaning: 'a domain cannot have this address',
    action: 'check it: four decimal parts, or an IPv6 address',
  },
  {
    codes: ['abuse'],
    status: 200,
    meaning: 'the domain accepts no updates: it is locked, or above the plan’s limit',
    action: 'sign in and see why',
  },
  {
    codes: ['badagent'],
    status: 200,
    meaning: 'the request is unreadable, or the service blocks this program',
    action: 'check the URL in the router',
  },
  {
    codes: ['911', 'dnserr'],
    status: 503,
    meaning:
      'the service cannot store the address now, the domain changes too often, or your network sent many wrong passwords',
    action: 'try again after the seconds in `Retry-After`',
  },
]

/** The paths that all mean the same: the one to use, then others that devices have built in. */
export const UPDATE_PATHS = [
  '/nic/update',
  '/v2/update',
  '/v3/update',
  '/update',
  '/dyndns/update',
  '/api/domains/update',
  '/api/domains/nic/update',
] as const
