import * as Args from '@oclif/core/args'
import { AccountCommand } from '../../../account-command.ts'
import { succeeded } from '../../../lib/api.ts'
import { findDomain } from '../../../lib/domains.ts'
import { fieldLine } from '../../../lib/output.ts'

export default class MaintenanceRemove extends AccountCommand {
  static override summary = 'Remove a maintenance window of a domain.'
  static override aliases = ['monitors:maintenance:delete', 'monitors:maintenance:rm']
  static override description =
    'If it has begun, it ends now. Earlier maintenance stays in the history.'
  static override examples = ['<%= config.bin %> <%= command.id %> home.example.net 3']
  static override jsonFields = ['id', 'fqdn', 'removed']
  static override args = {
    name: Args.string({ description: 'your domain, in full or its first label', required: true }),
    id: Args.string({
      description: 'the id of the window (see monitors maintenance)',
      required: true,
    }),
  }

  async run() {
    const { args, flags } = await this.parse(MaintenanceRemove)
    return this.asCaller(flags, async ({ api }) => {
      const { id, fqdn } = await findDomain(api, args.name)
      const call = { params: { path: { id, window: args.id } } }
      succeeded(await api.DELETE('/api/uptime/domain/{id}/maintenance/{window}', call))
      this.print(fieldLine([args.id, fqdn]))
      this.note('Removed.')
      return { id: args.id, fqdn, removed: true }
    })
  }
}
