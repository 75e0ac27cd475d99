import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { AccountCommand } from '../../account-command.ts'
import { bodyOf } from '../../lib/api.ts'
import { findDomain } from '../../lib/domains.ts'
import { TOKEN_FIELDS } from '../../lib/update-tokens.ts'

export default class TokensCreate extends AccountCommand {
  static override summary = 'Create the update token of a domain.'
  static override description =
    'The token is the password for the router that updates the domain, and is valid for nothing else. It is printed only once, alone on stdout. Every plan has update tokens, one for each domain.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> home.example.net',
    'To replace a lost token\n<%= config.bin %> <%= command.id %> home.example.net --replace',
  ]
  static override jsonFields = ['fqdn', ...TOKEN_FIELDS, 'token']
  static override args = {
    name: Args.string({ description: 'your domain, in full or its first label', required: true }),
  }
  static override flags = {
    replace: Flags.boolean({
      description: 'replace the existing token, which stops working at once',
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
      'It is not shown again. Enter it in the router as the password, with any username.',
      `Check its use: homing tokens show ${made.fqdn}`,
    )
    return made
  }
}
