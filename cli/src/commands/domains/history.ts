import * as Args from '@oclif/core/args'
import { HistoryCommand } from '../../history-command.ts'
import { newestEvents } from '../../lib/domain-history.ts'
import { findDomain } from '../../lib/domains.ts'

export default class DomainsHistory extends HistoryCommand {
  static override summary = 'List what changed about a domain, by whom and from where.'
  static override description =
    'The newest event is first. In a pipe, each line has id, time, kind, change, actor, address, country and client, separated by tabs.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> home.example.net',
    '<%= config.bin %> <%= command.id %> home --limit 500 --json=at,kind,old,new',
  ]
  static override args = {
    name: Args.string({ description: 'your domain, in full or its first label', required: true }),
  }

  async run() {
    const { args, flags } = await this.parse(DomainsHistory)
    return this.asCaller(flags, async ({ api }) => {
      const { id, fqdn } = await findDomain(api, args.name)
      const events = await newestEvents(api, id, flags.limit)
      return this.show(events, `homing domains undo ${fqdn}`)
    })
  }
}
