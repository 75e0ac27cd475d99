import * as Args from '@oclif/core/args'
import { AccountCommand } from '../../account-command.ts'
import { succeeded } from '../../lib/api.ts'
import { findForward } from '../../lib/forwards.ts'
import { requireLeave } from '../../lib/removal.ts'

export default class ForwardsRemove extends AccountCommand {
  static override summary = 'Remove the web forward of a domain.'
  static override aliases = ['forwards:delete', 'forwards:rm']
  static override description =
    'DNS resolves the domain to its own addresses again. The domain itself stays.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> home.example.net',
    '<%= config.bin %> <%= command.id %> home --yes',
  ]
  static override jsonFields = ['id', 'fqdn', 'removed']
  static override args = {
    name: Args.string({ description: 'your domain, in full or its first label', required: true }),
  }

  async run() {
    const { args, flags } = await this.parse(ForwardsRemove)
    return this.asCaller(flags, async ({ api }) => {
      const { id, fqdn } = await findForward(api, args.name)
      await requireLeave(this.asking(flags), flags, `Remove the web forward of ${fqdn}?`)
      succeeded(await api.DELETE('/api/webforward/{id}', { params: { path: { id } } }))
      this.print(fqdn)
      this.note('Removed. DNS resolves the domain to its own addresses again.')
      return { id, fqdn, removed: true }
    })
  }
}
