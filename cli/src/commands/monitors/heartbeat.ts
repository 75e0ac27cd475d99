import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { AccountCommand } from '../../account-command.ts'
import { bodyOf } from '../../lib/api.ts'
import { EXIT } from '../../lib/exit-codes.ts'
import { CommandFailure } from '../../lib/failure.ts'
import { findMonitor } from '../../lib/monitors.ts'

export default class MonitorsHeartbeat extends AccountCommand {
  static override summary = 'Create the heartbeat URL of a domain.'
  static override description =
    'A device calls the URL to say that it runs. The URL is a secret, and is printed only once, alone on stdout. API keys cannot create it: sign in first.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> home.example.net',
    'To replace a lost URL\n<%= config.bin %> <%= command.id %> home.example.net --replace',
  ]
  static override jsonFields = ['fqdn', 'token', 'url']
  static override args = {
    name: Args.string({ description: 'your domain, in full or its first label', required: true }),
  }
  static override flags = {
    replace: Flags.boolean({
      description: 'replace the existing URL, which stops working at once',
    }),
  }

  async run() {
    const { args, flags } = await this.parse(MonitorsHeartbeat)
    const made = await this.asCaller(flags, async ({ api }) => {
      const monitor = await findMonitor(api, args.name)
      if (monitor.has_heartbeat_token && !flags.replace) {
        throw new CommandFailure(
          EXIT.conflict,
          `${monitor.fqdn} has a heartbeat URL. Replace it with --replace; the old one stops working at once.`,
        )
      }
      const call = { params: { path: { id: monitor.domain_id } } }
      const answer = await api.POST('/api/uptime/domain/{id}/heartbeat-token', call)
      return { monitor, ...bodyOf(answer, 'token', 'url') }
    })
    const { fqdn, kind } = made.monitor
    this.print(made.url)
    this.note(
      'It is not shown again.',
      kind === 'heartbeat'
        ? `Check it: homing monitors show ${fqdn}`
        : `Next: homing monitors enable ${fqdn} --kind heartbeat`,
    )
    return { fqdn, token: made.token, url: made.url }
  }
}
