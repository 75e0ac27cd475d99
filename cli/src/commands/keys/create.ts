import * as Args from '@oclif/core/args'
import { AccountCommand } from '../../account-command.ts'
import { bodyOf } from '../../lib/api.ts'
import { limitFlags, limitsOf } from '../../lib/key-scope.ts'
import { KEY_FIELDS } from '../../lib/keys.ts'

export default class KeysCreate extends AccountCommand {
  static override summary = 'Create an API key.'
  static override description =
    'The key is printed only once, alone on stdout, so that you can write it to a file or a secret store. A key gives access only to domains and their records: all of them, or those in its scope. Not every plan has keys.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> pipeline',
    'For one domain, from one network, until it is unused for 90 days\n<%= config.bin %> <%= command.id %> router --domain home.example.net --action update --from 203.0.113.0/24 --unused-days 90',
    'Into a file that only you can read\n(umask 077; <%= config.bin %> <%= command.id %> pipeline > pipeline.key)',
  ]
  static override jsonFields = [...KEY_FIELDS, 'key']
  static override args = {
    name: Args.string({ description: 'a name that says what it is for', required: true }),
  }
  static override flags = limitFlags

  async run() {
    const { args, flags } = await this.parse(KeysCreate)
    const made = await this.asCaller(flags, async ({ api }) =>
      bodyOf(
        await api.POST('/api/api-keys/', {
          body: { name: args.name, ...limitsOf(flags, Date.now()) },
        }),
        'id',
        'key',
      ),
    )
    this.print(made.key)
    const { expires_at: end } = made
    this.note(
      `Created with id ${made.id}. It is not shown again. Use it as HOMING_API_KEY.`,
      ...(end === null ? [] : [`It expires on ${end}.`]),
      `Revoke it: homing keys remove ${made.id}`,
    )
    return made
  }
}
