import { AccountCommand } from '../../account-command.ts'
import { listOf } from '../../lib/api.ts'
import { FORWARD_FIELDS, forwardListing } from '../../lib/forwards.ts'
import { listed } from '../../lib/output.ts'
import { counted } from '../../lib/text.ts'

export default class Forwards extends AccountCommand {
  static override summary = 'List your web forwards.'
  static override aliases = ['forwards:list', 'forwards:ls']
  static override description =
    'In a pipe, each line has domain, target, type, status, state and the hits of seven days, separated by tabs.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --json=fqdn,target_url',
  ]
  static override jsonFields = FORWARD_FIELDS

  async run() {
    const { flags } = await this.parse(Forwards)
    const forwards = await this.asCaller(flags, async ({ api }) =>
      listOf(await api.GET('/api/webforward'), 'id', 'fqdn'),
    )
    this.print(await listed(forwards, forwardListing))
    if (forwards.length > 0) this.note(`${counted(forwards.length, 'web forward')}.`)
    else this.note('You have no web forwards. Create one: homing forwards add DOMAIN TARGET')
    return forwards
  }
}
