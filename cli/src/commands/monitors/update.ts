import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { AccountCommand } from '../../account-command.ts'
import { findDomain } from '../../lib/domains.ts'
import { usage } from '../../lib/failure.ts'
import { changeMonitor, monitorFlags, settingsOf } from '../../lib/monitor-settings.ts'
import { MONITOR_FIELDS } from '../../lib/monitors.ts'
import { fieldLine } from '../../lib/output.ts'

export default class MonitorsUpdate extends AccountCommand {
  static override summary = 'Change the settings of a monitor.'
  static override description = 'Omitted settings stay unchanged.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> home.example.net --path /health --expect-status 200',
    'A machine that sleeps\n<%= config.bin %> <%= command.id %> home --kind heartbeat --heartbeat updates --every 86400 --grace 3600',
    'Without mails\n<%= config.bin %> <%= command.id %> home --no-mail-down --no-mail-up',
  ]
  static override jsonFields = MONITOR_FIELDS
  static override args = {
    name: Args.string({ description: 'your domain, in full or its first label', required: true }),
  }
  static override flags = {
    ...monitorFlags,
    'if-version': Flags.integer({
      description: 'change it only if it still has this version (see monitors show)',
      helpValue: 'NUMBER',
      min: 1,
    }),
  }

  async run() {
    const { args, flags } = await this.parse(MonitorsUpdate)
    const settings = settingsOf(flags)
    if (Object.keys(settings).length === 0) {
      throw usage('Give what to change, such as --kind, --path or --interval.')
    }
    const monitor = await this.asCaller(flags, async ({ api }) => {
      const { id } = await findDomain(api, args.name)
      return changeMonitor(api, id, settings, flags['if-version'])
    })
    this.print(fieldLine([monitor.fqdn, monitor.state]))
    this.note(
      monitor.is_enabled
        ? 'Changed.'
        : `Changed. The monitor is off. Turn it on: homing monitors enable ${monitor.fqdn}`,
    )
    return monitor
  }
}
