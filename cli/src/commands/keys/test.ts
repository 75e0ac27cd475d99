import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { AccountCommand } from '../../account-command.ts'
import { bodyOf } from '../../lib/api.ts'
import { EXIT } from '../../lib/exit-codes.ts'
import { CommandFailure } from '../../lib/failure.ts'
import { KEY_ACTIONS, RECORD_TYPES } from '@homing/openapi/vocabulary'
import { findKey } from '../../lib/keys.ts'
import { printable } from '../../lib/text.ts'

export default class KeysTest extends AccountCommand {
  static override summary = 'Show whether an API key may do something, and why.'
  static override description = `If it may not, the command prints every reason and exits with ${EXIT.refused}.`
  static override examples = [
    '<%= config.bin %> <%= command.id %> pipeline update home.example.net',
    '<%= config.bin %> <%= command.id %> pipeline delete home.example.net --from 203.0.113.7',
  ]
  static override jsonFields = ['is_allowed', 'reasons']
  static override args = {
    key: Args.string({ description: 'its id, name or prefix', required: true }),
    action: Args.string({
      description: 'the action to test',
      required: true,
      options: KEY_ACTIONS,
    }),
    name: Args.string({ description: 'the full domain of the action' }),
  }
  static override flags = {
    type: Flags.option({
      description: 'the record type that it sets',
      options: RECORD_TYPES,
    })(),
    from: Flags.string({ description: 'the address that it is used from', helpValue: 'ADDRESS' }),
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
    if (!tested.is_allowed) {
      // The result is data, also if it makes the command fail.
      if (this.jsonEnabled()) this.logJson(this.toSuccessJson(tested))
      throw new CommandFailure(EXIT.refused, why)
    }
    this.print(why)
    return tested
  }
}
