import { AccountCommand } from '../../account-command.ts'
import { ACCOUNT_FIELDS, accountFacts } from '../../lib/account.ts'
import { bodyOf } from '../../lib/api.ts'
import { facts } from '../../lib/output.ts'

export default class AccountShow extends AccountCommand {
  static override summary = 'Show your account: name, address, plan and limits.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --json=email,limits',
  ]
  static override jsonFields = ACCOUNT_FIELDS

  async run() {
    const { flags } = await this.parse(AccountShow)
    const me = await this.asCaller(flags, async ({ api }) =>
      bodyOf(await api.GET('/api/me'), 'username', 'limits'),
    )
    this.print(facts(accountFacts(me)))
    return me
  }
}
