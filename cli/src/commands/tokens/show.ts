import * as Args from '@oclif/core/args'
import { AccountCommand } from '../../account-command.ts'
import { bodyOf } from '../../lib/api.ts'
import { findDomain } from '../../lib/domains.ts'
import { facts } from '../../lib/output.ts'
import { TOKEN_FIELDS } from '../../lib/update-tokens.ts'

export default class TokensShow extends AccountCommand {
  static override summary = 'Show when and by which client the update token of a domain was used.'
  static override description = 'The token itself is shown only once, when you create it.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> home.example.net',
    '<%= config.bin %> <%= command.id %> home --json=last_used_at,last_client',
  ]
  static override jsonFields = ['fqdn', ...TOKEN_FIELDS]
  static override args = {
    name: Args.string({ description: 'your domain, in full or its first label', required: true }),
  }

  async run() {
    const { args, flags } = await this.parse(TokensShow)
    const token = await this.asCaller(flags, async ({ api }) => {
      const { fqdn, id } = await findDomain(api, args.name)
      const params = { path: { id } }
      return {
        fqdn,
        ...bodyOf(await api.GET('/api/domains/{id}/update-token', { params }), 'created_at'),
      }
    })
    this.print(
      facts([
        ['domain', token.fqdn],
        ['prefix', token.prefix],
        ['created', token.created_at],
        ['last used', token.last_used_at],
        ['from', token.last_used_ip],
        ['by', token.last_client],
      ]),
    )
    return token
  }
}
