import * as Args from '@oclif/core/args'
import { AccountCommand } from '../../account-command.ts'
import { succeeded } from '../../lib/api.ts'
import { findDomain } from '../../lib/domains.ts'
import { requireLeave } from '../../lib/removal.ts'

export default class TokensRemove extends AccountCommand {
  static override summary = 'Remove the update token of a domain.'
  static override aliases = ['tokens:delete', 'tokens:rm']
  static override description = 'It stops working at once.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> home.example.net',
    '<%= config.bin %> <%= command.id %> home --yes',
  ]
  static override jsonFields = ['fqdn', 'removed']
  static override args = {
    name: Args.string({ description: 'your domain, in full or its first label', required: true }),
  }

  async run() {
    const { args, flags } = await this.parse(TokensRemove)
    return this.asCaller(flags, async ({ api }) => {
      const { fqdn, id } = await findDomain(api, args.name)
      const params = { path: { id } }
      await requireLeave(this.asking(flags), flags, `Remove the update token of ${fqdn}?`)
      succeeded(await api.DELETE('/api/domains/{id}/update-token', { params }))
      this.print(fqdn)
      this.note(`The update token is removed.`, `Create a new one: homing tokens create ${fqdn}`)
      return { fqdn, removed: true }
    })
  }
}
