import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { AccountCommand } from '../../account-command.ts'
import { bodyOf } from '../../lib/api.ts'
import { findDomain } from '../../lib/domains.ts'
import { TOKEN_FIELDS } from '../../lib/update-tokens.ts'

export default class TokensCreate extends AccountCommand {
  static override summary = 'Make the update token of a name.'
  static override description =
    'The password for the router that keeps the name up to date, good for that and nothing else. It is printed this once, alone on stdout. Every plan has update tokens, one for each name.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> home.example.net',
    'Instead of one that got lost\n<%= config.bin %> <%= command.id %> home.example.net --replace',
  ]
  static override jsonFields = ['fqdn', ...TOKEN_FIELDS, 'token']
  static override args = {
    name: Args.string({ description: 'a name of yours, whole or short', required: true }),
  }
  static override flags = {
    replace: Flags.boolean({
      description: 'end the token that there is; what uses it is refused from then on',
    }),
  }

  async run() {
    const { args, flags } = await this.parse(TokensCreate)
    const made = await this.asCaller(flags, async ({ api }) => {
      const { fqdn, id } = await findDomain(api, args.name)
      const answer = await api.POST('/api/domains/{id}/update-token', {
        params: { path: { id } },
        body: flags.replace ? { replace: true } : {},
      })
      return { fqdn, ...bodyOf(answer, 'token') }
    })
    this.print(made.token)
    this.note(
      'It is not shown again. The router takes it as its password, with any user name.',
      `Whether it is used: homing tokens show ${made.fqdn}`,
    )
    return made
  }
}
