import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { AccountCommand } from '../../account-command.ts'
import { findOwnZone, nextCheck, OWN_ZONE_FIELDS, zoneFacts } from '../../lib/own-zones.ts'
import { zoneText } from '../../lib/zone-output.ts'

export default class ZonesShow extends AccountCommand {
  static override summary = 'Show an own zone, its name servers and its last check.'
  static override description =
    'In a pipe, the lines of the name servers, of the tasks that prove the ownership, of the facts and, with --verbose, of the parent servers begin with nameserver, task, fact and parent.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> example.com',
    '<%= config.bin %> <%= command.id %> example.com --verbose',
    '<%= config.bin %> <%= command.id %> example.com --json=state,next_check_at',
  ]
  static override jsonFields = OWN_ZONE_FIELDS
  static override args = {
    zone: Args.string({ description: 'your own zone', required: true }),
  }
  static override flags = {
    verbose: Flags.boolean({ description: 'show the response of each parent name server' }),
  }

  async run() {
    const { args, flags } = await this.parse(ZonesShow)
    const zone = await this.asCaller(flags, ({ api }) => findOwnZone(api, args.zone))
    this.print(await zoneText(zone, { about: zoneFacts(zone), isVerbose: flags.verbose }))
    const next = nextCheck(zone, Date.now())
    if (next !== undefined) this.note(next)
    return zone
  }
}
