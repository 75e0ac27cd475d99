import { AccountCommand } from '../../account-command.ts'
import { listOf } from '../../lib/api.ts'
import { KEY_FIELDS, keyListing } from '../../lib/keys.ts'
import { listed } from '../../lib/output.ts'

export default class Keys extends AccountCommand {
  static override summary = 'List your API keys.'
  static override aliases = ['keys:list', 'keys:ls']
  static override description =
    'In a pipe, each line has id, name, prefix, creation time and last use, separated by tabs.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --json=name,last_used_at',
  ]
  static override jsonFields = KEY_FIELDS

  async run() {
    const { flags } = await this.parse(Keys)
    const keys = await this.asCaller(flags, async ({ api }) =>
      listOf(await api.GET('/api/api-keys/'), 'id', 'created_at'),
    )
    this.print(await listed(keys, keyListing))
    if (keys.length === 0) this.note('You have no API keys. Create one: homing keys create NAME')
    return keys
  }
}
