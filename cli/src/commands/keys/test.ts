import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { AccountCommand } from '../../account-command.ts'
import { bodyOf } from '../../lib/api.ts'
import { EXIT } from '../../lib/exit-codes.ts'
import { CommandFailure } from '../../lib/failure.ts'
import { KEY_ACTIONS, RECORD_TYPES } from '../../lib/key-scope.ts'
import { findKey } from '../../lib/keys.ts'
import { printable } from '../../lib/text.ts'

export default class KeysTest extends AccountCommand {
  static override summary = 'What an API key may do, and why.'
  static override description = `When it may not, it fails with ${EXIT.refused} and every reason.`
  static override examples = [
    '<%= config.bin %> <%= command.id %> pipeline update home.example.net',
    '<%= config.bin %> <%= command.id %> pipeline delete home.example.net --from 203.0.113.7',
  ]
  static override jsonFields = ['is_allowed', 'reasons']
  static override args = {
    key: Args.string({ description: 'its id, name or beginning', required: true }),
    action: Args.string({ description: 'what it is to do', required: true, options: KEY_ACTIONS }),
    name: Args.string({ description: 'the whole name that it is to do it with' }),
  }
  static override flags = {
    type: Flags.option({
      description: 'the type of records that it is to set',
      options: RECORD_TYPES,
    })(),
    from: Flags.string({ description: 'where it is used', helpValue: 'ADDRESS' }),
  }

  async run() {
    const { args, flags } = await this.parse(KeysTest)
    const action = KEY_ACTIONS.find((known) => known === args.action) ?? 'read'
    const { type, from } = flags
    const tested = await this.asCaller(flags, async ({ api }) => {
      const { id } = await findKey(api, args.key)
      const query = {
        action,
        ...(args.name !== undefined && { domain: args.name }),
        ...(type !== undefined && { record_type: type }),
        ...(from !== undefined && { ip: from }),
      }
      const answer = await api.GET('/api/api-keys/{id}/test', { params: { path: { id }, query } })
      return bodyOf(answer, 'is_allowed', 'reasons')
    })
    const why = tested.reasons.map(printable).join('\n')
    if (!tested.is_allowed) throw new CommandFailure(EXIT.refused, why)
    this.print(why)
    return tested
  }
}
