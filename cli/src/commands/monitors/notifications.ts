import * as Args from '@oclif/core/args'
import { AccountCommand } from '../../account-command.ts'
import { listOf } from '../../lib/api.ts'
import { findDomain } from '../../lib/domains.ts'
import { MAIL_FIELDS, mailListing } from '../../lib/monitor-mails.ts'
import { listed } from '../../lib/output.ts'

export default class MonitorsNotifications extends AccountCommand {
  static override summary = 'List the mails about the monitor of a domain, and what became of them.'
  static override description =
    'The last 50, the newest first. In a pipe, each line has time, message, outcome, recipient and time of sending, separated by tabs. API keys cannot read them: sign in first.'
  static override examples = ['<%= config.bin %> <%= command.id %> home.example.net']
  static override jsonFields = MAIL_FIELDS
  static override args = {
    name: Args.string({ description: 'your domain, in full or its first label', required: true }),
  }

  async run() {
    const { args, flags } = await this.parse(MonitorsNotifications)
    return this.asCaller(flags, async ({ api }) => {
      const { id, fqdn } = await findDomain(api, args.name)
      const call = { params: { path: { id } } }
      const mails = listOf(await api.GET('/api/uptime/domain/{id}/notifications', call), 'id')
      this.print(await listed(mails, mailListing))
      if (mails.length === 0) this.note(`No mail about ${fqdn} was sent yet.`)
      return mails
    })
  }
}
