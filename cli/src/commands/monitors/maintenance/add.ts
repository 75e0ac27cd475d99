import { MAINTENANCE_REPEATS } from '@homing/openapi/vocabulary'
import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { AccountCommand } from '../../../account-command.ts'
import { bodyOf } from '../../../lib/api.ts'
import { findDomain } from '../../../lib/domains.ts'
import { usage } from '../../../lib/failure.ts'
import { WINDOW_FIELDS } from '../../../lib/maintenance.ts'
import { fieldLine } from '../../../lib/output.ts'
import { instantOf, lengthMs, requireTimeZone } from '../../../lib/times.ts'

export default class MaintenanceAdd extends AccountCommand {
  static override summary = 'Announce maintenance of a domain.'
  static override description =
    'During maintenance the domain is not checked, no mail is sent, and the time counts neither as up nor as down. A window lasts at most seven days. A repeated window keeps its time of day in its time zone.'
  static override examples = [
    'Two hours from now on\n<%= config.bin %> <%= command.id %> home.example.net --for 2h',
    'Each Sunday night\n<%= config.bin %> <%= command.id %> home --from 2026-05-17T03:00 --for 1h --repeat weekly --time-zone Europe/Vienna --note Backup',
  ]
  static override jsonFields = WINDOW_FIELDS
  static override args = {
    name: Args.string({ description: 'your domain, in full or its first label', required: true }),
  }
  static override flags = {
    from: Flags.string({
      description: 'when it begins; without it, now',
      helpValue: 'TIME',
    }),
    to: Flags.string({ description: 'when it ends', helpValue: 'TIME' }),
    for: Flags.string({
      description: 'how long it lasts, such as 30m, 2h or 1d',
      helpValue: 'LENGTH',
    }),
    repeat: Flags.option({
      description: 'how often it is repeated',
      options: MAINTENANCE_REPEATS,
    })(),
    'time-zone': Flags.string({
      description: 'the time zone of its times; without it, that of this machine',
      helpValue: 'ZONE',
    }),
    note: Flags.string({ description: 'what is done', helpValue: 'TEXT' }),
  }

  async run() {
    const { args, flags } = await this.parse(MaintenanceAdd)
    const { from, to, for: length, repeat, note } = flags
    if ((to === undefined) === (length === undefined)) throw usage('Give either --for or --to.')
    const timeZone = requireTimeZone(
      flags['time-zone'] ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    )
    const start = from === undefined ? new Date() : instantOf('--from', from, timeZone)
    const end =
      to === undefined
        ? new Date(start.getTime() + lengthMs('--for', length ?? ''))
        : instantOf('--to', to, timeZone)
    const body = {
      starts_at: start.toISOString(),
      ends_at: end.toISOString(),
      time_zone: timeZone,
      ...(repeat !== undefined && { repeats: repeat }),
      ...(note !== undefined && { note }),
    }
    return this.asCaller(flags, async ({ api }) => {
      const { id, fqdn } = await findDomain(api, args.name)
      const call = { params: { path: { id } }, body }
      const window = bodyOf(await api.POST('/api/uptime/domain/{id}/maintenance', call), 'id')
      this.print(fieldLine([window.id, window.starts_at, window.ends_at]))
      this.note(
        'Announced.',
        `End it early: homing monitors maintenance remove ${fqdn} ${window.id}`,
      )
      return window
    })
  }
}
