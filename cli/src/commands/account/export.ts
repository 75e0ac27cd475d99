import type { components } from '@homing/openapi/client'
import { AccountCommand } from '../../account-command.ts'
import { bodyOf } from '../../lib/api.ts'

type Archive = components['schemas']['AccountExport']

const FIELDS = [
  'version',
  'exported_at',
  'service',
  'account',
  'plan',
  'domains',
  'former_domains',
  'reserved_names',
  'locked_names',
  'records',
  'zones',
  'update_tokens',
  'domain_history',
  'update_calls',
  'query_counts',
  'sessions',
  'login_history',
  'known_networks',
  'mail_links',
  'second_factors',
  'api_keys',
  'trust_policies',
  'jobs',
  'is_complete',
] as const satisfies readonly (keyof Archive)[]

export default class AccountExport extends AccountCommand {
  static override summary = 'Export all data about you, as JSON.'
  static override description =
    'The archive is printed on stdout, with and without --json. It has no passwords and no secrets. The service allows five exports a day.'
  static override examples = [
    'Into a file that only you can read\n(umask 077; <%= config.bin %> <%= command.id %> > account.json)',
    'Only a part of it\n<%= config.bin %> <%= command.id %> --json=domains,domain_history',
  ]
  static override jsonFields = FIELDS

  async run() {
    const { flags } = await this.parse(AccountExport)
    const archive = await this.asCaller(flags, async ({ api }) =>
      bodyOf(await api.GET('/api/me/export'), 'version', 'account', 'is_complete'),
    )
    this.print(JSON.stringify(archive, null, 2))
    return archive
  }
}
