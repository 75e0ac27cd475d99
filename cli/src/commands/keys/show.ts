import * as Args from '@oclif/core/args'
import { AccountCommand } from '../../account-command.ts'
import { findKey, KEY_FIELDS, keyFacts } from '../../lib/keys.ts'
import { facts } from '../../lib/output.ts'

export default class KeysShow extends AccountCommand {
  static override summary = 'Show what an API key may do, when it was used, and when it expires.'
  static override description = 'The secret is shown only once, when you create or rotate the key.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> pipeline',
    '<%= config.bin %> <%= command.id %> pipeline --json=scope,expires_at',
  ]
  static override jsonFields = KEY_FIELDS
  static override args = {
    key: Args.string({ description: 'its id, name or prefix', required: true }),
  }

  async run() {
    const { args, flags } = await this.parse(KeysShow)
    const key = await this.asCaller(flags, ({ api }) => findKey(api, args.key))
    this.print(facts(keyFacts(key)))
    return key
  }
}
