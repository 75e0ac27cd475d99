import * as Args from '@oclif/core/args'
import { AccountCommand } from '../../account-command.ts'
import { succeeded } from '../../lib/api.ts'
import { findDomain } from '../../lib/domains.ts'

export default class MonitorsTest extends AccountCommand {
  static override summary = 'Send a test mail about the monitor of a domain.'
  static override description =
    'The mail goes to the address of the account, at most five times per hour. API keys cannot send it: sign in first.'
  static override examples = ['<%= config.bin %> <%= command.id %> home.example.net']
  static override jsonFields = ['fqdn', 'is_requested']
  static override args = {
    name: Args.string({ description: 'your domain, in full or its first label', required: true }),
  }

  async run() {
    const { args, flags } = await this.parse(MonitorsTest)
    return this.asCaller(flags, async ({ api }) => {
      const { id, fqdn } = await findDomain(api, args.name)
      const call = { params: { path: { id } } }
      succeeded(await api.POST('/api/uptime/domain/{id}/test-notification', call))
      this.print(fqdn)
      this.note('The mail will be sent to the address of your account.')
      return { fqdn, is_requested: true }
    })
  }
}
