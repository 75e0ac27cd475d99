import * as Args from '@oclif/core/args'
import { AccountCommand } from '../../account-command.ts'
import { changeMonitor, monitorFlags, settingsOf } from '../../lib/monitor-settings.ts'
import { findDomains, type Monitor, MONITOR_FIELDS, switchMonitor } from '../../lib/monitors.ts'
import { fieldLine } from '../../lib/output.ts'
import { counted } from '../../lib/text.ts'

export default class MonitorsEnable extends AccountCommand {
  static override summary = 'Turn on the monitors of domains.'
  static override description =
    'Without --kind, a new monitor tries https, http and the TCP ports 443, 80 and 22 of the stored address, and keeps what answers. Settings apply to all of the domains. If one of the domains is not yours, nothing is turned on. Not every plan has monitors.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> home.example.net',
    '<%= config.bin %> <%= command.id %> home --kind https --path /health --interval 60',
    '<%= config.bin %> <%= command.id %> office.example.net lab.example.net --kind tcp --port 22',
  ]
  static override jsonFields = MONITOR_FIELDS
  static override args = {
    names: Args.string({
      description: 'your domains, in full or their first labels',
      required: true,
      multiple: true,
    }),
  }
  static override flags = monitorFlags

  async run() {
    const { args, flags } = await this.parse(MonitorsEnable)
    const settings = settingsOf(flags)
    const monitors = await this.asCaller(flags, async ({ api }) => {
      const enabled: Monitor[] = []
      for (const { id } of await findDomains(api, args.names)) {
        if (Object.keys(settings).length > 0) await changeMonitor(api, id, settings)
        const monitor = await switchMonitor(api, id, true)
        this.print(fieldLine([monitor.fqdn, monitor.state]))
        enabled.push(monitor)
      }
      return enabled
    })
    this.note(
      `Turned on ${counted(monitors.length, 'monitor')}.`,
      `Next: homing monitors show ${monitors[0]?.fqdn}`,
    )
    return monitors
  }
}
