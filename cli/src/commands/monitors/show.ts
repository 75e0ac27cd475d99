import * as Args from '@oclif/core/args'
import { AccountCommand } from '../../account-command.ts'
import { monitorFacts } from '../../lib/monitor-facts.ts'
import { findMonitor, MONITOR_FIELDS, stateSentence } from '../../lib/monitors.ts'
import { facts } from '../../lib/output.ts'
import { BAR_LEGEND, uptimeBars } from '../../lib/uptime-bar.ts'

export default class MonitorsShow extends AccountCommand {
  static override summary = 'Show the state, the uptime and the settings of a monitor.'
  static override description =
    'At a terminal, it also draws the last 24 hours and the last 90 days.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> home.example.net',
    '<%= config.bin %> <%= command.id %> home --json=state,cause,uptime_24h',
  ]
  static override jsonFields = MONITOR_FIELDS
  static override args = {
    name: Args.string({ description: 'your domain, in full or its first label', required: true }),
  }

  async run() {
    const { args, flags } = await this.parse(MonitorsShow)
    const isDrawn = process.stdout.isTTY && !this.jsonEnabled()
    const { monitor, bars } = await this.asCaller(flags, async ({ api }) => {
      const found = await findMonitor(api, args.name)
      return {
        monitor: found,
        bars: isDrawn ? await uptimeBars(api, found.domain_id, Date.now()) : [],
      }
    })
    this.print(facts([...monitorFacts(monitor), ...bars]))
    if (bars.length > 0) this.print(BAR_LEGEND)
    this.note(stateSentence(monitor, Date.now()))
    return monitor
  }
}
