import { AccountCommand } from '../../account-command.ts'
import { listOf } from '../../lib/api.ts'
import { listed } from '../../lib/output.ts'
import { SESSION_FIELDS, sessionListing } from '../../lib/sessions.ts'

export default class Sessions extends AccountCommand {
  static override summary = 'List where you are signed in.'
  static override aliases = ['sessions:list', 'sessions:ls']
  static override description =
    'In a pipe, each line has id, address, client, time of the sign-in, last use, and whether it is this session, separated by tabs.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --json=id,ip,client',
  ]
  static override jsonFields = SESSION_FIELDS

  async run() {
    const { flags } = await this.parse(Sessions)
    const sessions = await this.asCaller(flags, async ({ api }) =>
      listOf(await api.GET('/api/me/sessions'), 'id', 'created_at'),
    )
    this.print(await listed(sessions, sessionListing))
    if (sessions.length > 1) this.note('End the others: homing sessions end --others')
    return sessions
  }
}
