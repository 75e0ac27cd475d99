import { MONITOR_STATES } from '@homing/openapi/vocabulary'
import * as Flags from '@oclif/core/flags'
import { AccountCommand } from '../../account-command.ts'
import { listOf } from '../../lib/api.ts'
import { MONITOR_FIELDS, monitorListing } from '../../lib/monitors.ts'
import { listed } from '../../lib/output.ts'
import { counted } from '../../lib/text.ts'

export default class Monitors extends AccountCommand {
  static override summary = 'List your monitored domains, and whether they are up.'
  static override aliases = ['monitors:list', 'monitors:ls']
  static override description =
    'In a pipe, each line has domain, kind, state, since when, and the percentages of 24 hours and 30 days, separated by tabs. A percentage is empty while there is no data.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --state down --json=fqdn,cause_text',
  ]
  static override jsonFields = MONITOR_FIELDS
  static override flags = {
    state: Flags.option({ description: 'only monitors in this state', options: MONITOR_STATES })(),
  }

  async run() {
    const { flags } = await this.parse(Monitors)
    const all = await this.asCaller(flags, async ({ api }) =>
      listOf(await api.GET('/api/uptime/monitors'), 'domain_id', 'fqdn', 'state'),
    )
    const monitors = all.filter(({ state }) => flags.state === undefined || state === flags.state)
    this.print(await listed(monitors, monitorListing))
    if (all.length === 0) {
      this.note('None of your domains is monitored. Turn it on: homing monitors enable DOMAIN')
    } else {
      const down = all.filter(({ state }) => state === 'down').length
      this.note(`${counted(all.length, 'monitor')}, ${down} down.`)
    }
    return monitors
  }
}
