import { AccountCommand } from '../account-command.ts'
import { bodyOf, listOf } from '../lib/api.ts'
import type { Caller } from '../lib/caller.ts'
import { facts } from '../lib/output.ts'

const CREDENTIALS = { session: 'session', password: 'password', key: 'API key' } as const

export default class Whoami extends AccountCommand {
  static override summary = 'Show your account, the server and the credential in use.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --profile work --json=username,plan',
  ]
  static override jsonFields = [
    'server',
    'profile',
    'credential',
    'source',
    'username',
    'email',
    'plan',
    'domain_count',
    'domain_limit',
    'ttl',
    'abilities',
  ]

  async run() {
    const { flags } = await this.parse(Whoami)
    const shown = await this.asCaller(flags, async (caller) => {
      const { server, profile, credentials, source } = caller.account
      const where = { server, profile, credential: credentials.kind, source }
      return { ...where, ...(await accountOf(caller)) }
    })
    this.print(
      facts([
        ['account', shown.username],
        ['email', shown.email],
        ['plan', shown.plan],
        ['domains', shown.domain_limit && `${shown.domain_count} of ${shown.domain_limit}`],
        ['server', shown.server],
        ['profile', shown.profile],
        ['signed in by', `${CREDENTIALS[shown.credential]} from ${shown.source}`],
      ]),
    )
    if (shown.credential === 'key')
      this.note(
        'The account of an API key is not shown. To see your account, sign in with your password.',
      )
    return shown
  }
}

/** The account. An API key cannot read it, so the key is only tested. */
async function accountOf({ api, account }: Caller) {
  if (account.credentials.kind === 'key') {
    listOf(await api.GET('/api/zones/available'), 'zone')
    return { username: null, email: null, plan: null, domain_count: null, domain_limit: null }
  }
  const { username, email, plan, limits } = bodyOf(await api.GET('/api/me'), 'username', 'limits')
  return { username, email, plan, ...limits }
}
