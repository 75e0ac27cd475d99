import * as Args from '@oclif/core/args'
import { AccountCommand } from '../../account-command.ts'
import { listOf, succeeded } from '../../lib/api.ts'
import { keyMeant } from '../../lib/keys.ts'
import { fieldLine } from '../../lib/output.ts'
import { requireLeave } from '../../lib/removal.ts'
import { counted } from '../../lib/text.ts'

export default class KeysRemove extends AccountCommand {
  static override summary = 'Remove API keys.'
  static override aliases = ['keys:delete', 'keys:rm']
  static override description =
    'They stop working at once. If one of the keys does not exist, nothing is removed.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> pipeline',
    '<%= config.bin %> <%= command.id %> 3 4 --yes',
  ]
  static override jsonFields = ['id', 'name', 'removed']
  static override args = {
    keys: Args.string({
      description: 'their ids, names or prefixes (see homing keys)',
      required: true,
      multiple: true,
    }),
  }

  async run() {
    const { args, flags } = await this.parse(KeysRemove)
    return this.asCaller(flags, async ({ api }) => {
      const all = listOf(await api.GET('/api/api-keys/'), 'id')
      const meant = new Map(
        args.keys.map((text) => {
          const { id, name } = keyMeant(all, text)
          return [id, name]
        }),
      )
      const names = [...meant.values()].join(', ')
      await requireLeave(this.asking(flags), flags, `Remove the API keys ${names}?`)
      for (const [id, name] of meant) {
        succeeded(await api.DELETE('/api/api-keys/{id}', { params: { path: { id } } }))
        this.print(fieldLine([id, name]))
      }
      this.note(`Removed ${counted(meant.size, 'key')}.`, `List the others: homing keys`)
      return Array.from(meant, ([id, name]) => ({ id, name, removed: true }))
    })
  }
}
