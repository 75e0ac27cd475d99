import * as Args from '@oclif/core/args'
import { AccountCommand } from '../../account-command.ts'
import { findDomains, type Monitor, MONITOR_FIELDS, switchMonitor } from '../../lib/monitors.ts'
import { fieldLine } from '../../lib/output.ts'
import { counted } from '../../lib/text.ts'

export default class MonitorsDisable extends AccountCommand {
  static override summary = 'Turn off the monitors of domains.'
  static override description =
    'The settings and the history stay. If one of the domains is not yours, nothing is turned off.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> home.example.net',
    '<%= config.bin %> <%= command.id %> office.example.net lab.example.net',
  ]
  static override jsonFields = MONITOR_FIELDS
  static override args = {
    names: Args.string({
      description: 'your domains, in full or their first labels',
      required: true,
      multiple: true,
    }),
  }

  async run() {
    const { args, flags } = await this.parse(MonitorsDisable)
    const monitors = await this.asCaller(flags, async ({ api }) => {
      const disabled: Monitor[] = []
      for (const { id } of await findDomains(api, args.names)) {
        const monitor = await switchMonitor(api, id, false)
        this.print(fieldLine([monitor.fqdn, monitor.state]))
        disabled.push(monitor)
      }
      return disabled
    })
    this.note(`Turned off ${counted(monitors.length, 'monitor')}. The history stays.`)
    return monitors
  }
}
