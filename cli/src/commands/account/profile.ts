import * as Flags from '@oclif/core/flags'
import { AccountCommand } from '../../account-command.ts'
import { ACCOUNT_FIELDS, accountFacts } from '../../lib/account.ts'
import { bodyOf } from '../../lib/api.ts'
import { usage } from '../../lib/failure.ts'
import { facts } from '../../lib/output.ts'

export default class AccountProfile extends AccountCommand {
  static override summary = 'Change your first name and last name.'
  static override description =
    'An empty value removes a name. The username cannot be changed. To change your email address, use the settings: <%= config.bin %> open email.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --first-name Ada --last-name Lovelace',
    "<%= config.bin %> <%= command.id %> --last-name ''",
  ]
  static override jsonFields = ACCOUNT_FIELDS
  static override flags = {
    'first-name': Flags.string({ description: 'your first name', helpValue: 'NAME' }),
    'last-name': Flags.string({ description: 'your last name', helpValue: 'NAME' }),
  }

  async run() {
    const { flags } = await this.parse(AccountProfile)
    const { 'first-name': first, 'last-name': last } = flags
    if (first === undefined && last === undefined) {
      throw usage('Give what to change: --first-name or --last-name.')
    }
    const body = {
      ...(first !== undefined && { given_name: first.trim() || null }),
      ...(last !== undefined && { surname: last.trim() || null }),
    }
    const me = await this.asCaller(flags, async ({ api }) =>
      bodyOf(await api.PUT('/api/profile', { body }), 'username', 'limits'),
    )
    this.print(facts(accountFacts(me)))
    this.note('Your profile was changed.')
    return me
  }
}
