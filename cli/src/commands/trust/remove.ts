import * as Args from '@oclif/core/args'
import { AccountCommand } from '../../account-command.ts'
import { succeeded } from '../../lib/api.ts'
import { requireLeave } from '../../lib/removal.ts'

export default class TrustRemove extends AccountCommand {
  static override summary = 'Stop trusting a pipeline.'
  static override aliases = ['trust:delete', 'trust:rm']
  static override description = 'The keys that it got stop working at once.'
  static override examples = ['<%= config.bin %> <%= command.id %> 5']
  static override jsonFields = ['id', 'removed']
  static override args = {
    id: Args.string({ description: 'its id (see homing trust)', required: true }),
  }

  async run() {
    const { args, flags } = await this.parse(TrustRemove)
    const { id } = args
    await requireLeave(this.asking(flags), flags, `Remove the trust policy ${id}?`)
    await this.asCaller(flags, async ({ api }) =>
      succeeded(await api.DELETE('/api/trust-policies/{id}', { params: { path: { id } } })),
    )
    this.print(id)
    return { id, removed: true }
  }
}
