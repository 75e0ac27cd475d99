import * as Flags from '@oclif/core/flags'
import { AccountCommand } from '../../account-command.ts'
import { bodyOf } from '../../lib/api.ts'
import { passwordChange } from '../../lib/passwords.ts'
import { counted } from '../../lib/text.ts'

export default class AccountPassword extends AccountCommand {
  static override summary = 'Change your password.'
  static override description =
    'All other sessions end; this one continues. Keys, update tokens, trusted pipelines and passkeys keep working, unless you give --revoke-credentials. At a terminal, it asks for the passwords.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    'From a script: the current password on the first line, the new one on the second\ncat passwords | <%= config.bin %> <%= command.id %> --with-passwords-stdin',
  ]
  static override jsonFields = ['message', 'working_credentials']
  static override flags = {
    'with-passwords-stdin': Flags.boolean({
      description: 'read the current and the new password from standard input, one per line',
    }),
    'revoke-credentials': Flags.boolean({
      description: 'also delete all keys, update tokens, trusted pipelines and passkeys',
    }),
  }

  async run() {
    const { flags } = await this.parse(AccountPassword)
    const asking = this.asking(flags)
    const passwords = await passwordChange(asking, flags['with-passwords-stdin'])
    const body = {
      ...passwords,
      ...(flags['revoke-credentials'] && { revoke_credentials: true }),
    }
    const set = await this.asCaller(flags, async ({ api }) =>
      bodyOf(await api.POST('/api/change-password', { body }), 'message', 'working_credentials'),
    )
    const { api_keys, update_tokens, trust_policies, passkeys } = set.working_credentials
    this.note(
      set.message,
      `Still working: ${[
        counted(api_keys, 'API key'),
        counted(update_tokens, 'update token'),
        counted(trust_policies, 'trusted pipeline'),
        counted(passkeys, 'passkey'),
      ].join(', ')}.`,
    )
    return set
  }
}
