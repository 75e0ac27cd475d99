import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { AccountCommand } from '../../account-command.ts'
import { findDomain } from '../../lib/domains.ts'
import { INCIDENT_FIELDS, incidentListing, newestIncidents } from '../../lib/incidents.ts'
import { listed } from '../../lib/output.ts'

export default class MonitorsIncidents extends AccountCommand {
  static override summary = 'List when a domain was down, or could not be checked.'
  static override description =
    'Of the last 400 days, the newest first. In a pipe, each line has start, end, state, seconds, cause and its text, separated by tabs. The end is empty while it lasts.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> home.example.net',
    '<%= config.bin %> <%= command.id %> home --state down --limit 100 --json',
  ]
  static override jsonFields = INCIDENT_FIELDS
  static override args = {
    name: Args.string({ description: 'your domain, in full or its first label', required: true }),
  }
  static override flags = {
    limit: Flags.integer({
      description: 'the maximum number of incidents',
      helpValue: 'NUMBER',
      min: 1,
      max: 100_000,
      default: 25,
    }),
    state: Flags.option({
      description: 'only incidents of this state',
      options: ['down', 'unknown'] as const,
    })(),
  }

  async run() {
    const { args, flags } = await this.parse(MonitorsIncidents)
    return this.asCaller(flags, async ({ api }) => {
      const { id, fqdn } = await findDomain(api, args.name)
      const incidents = await newestIncidents(api, id, flags.limit, flags.state)
      this.print(await listed(incidents, incidentListing))
      if (incidents.length === 0) this.note(`${fqdn} has no incidents.`)
      return incidents
    })
  }
}
