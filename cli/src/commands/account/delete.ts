import * as Flags from '@oclif/core/flags'
import { AccountCommand } from '../../account-command.ts'
import { bodyOf } from '../../lib/api.ts'
import { type Account, loginCommand } from '../../lib/credentials.ts'
import { currentPassword } from '../../lib/passwords.ts'
import { forgetNames } from '../../completion/names-cache.ts'
import { readProfile, removeProfile } from '../../lib/profiles.ts'
import { requireLeave } from '../../lib/removal.ts'

const QUESTION =
  'Delete your account after 14 days, with all its domains? All sessions end now. DNS and your keys work until then.'

export default class AccountDelete extends AccountCommand {
  static override summary = 'Delete your account after 14 days.'
  static override description =
    'All sessions end. For 14 days, DNS still answers for your domains and keys work. Signing in keeps the account: <%= config.bin %> account undelete. After that, the service removes the domains and all data about you.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    'From a script\npass show homing | <%= config.bin %> <%= command.id %> --with-password-stdin --yes',
  ]
  static override jsonFields = ['message', 'deletion_due_at']
  static override flags = {
    'with-password-stdin': Flags.boolean({
      description: 'read your password from standard input',
    }),
  }

  async run() {
    const { flags } = await this.parse(AccountDelete)
    const asking = this.asking(flags)
    await requireLeave(asking, flags, QUESTION)
    const password = await currentPassword(asking, flags['with-password-stdin'])
    const { due, keep } = await this.asCaller(flags, async ({ api, account }) => {
      const answer = await api.POST('/api/delete-account', { body: { password } })
      const body = bodyOf(answer, 'message', 'deletion_due_at')
      forget(account)
      return { due: body, keep: keepCommand(account) }
    })
    this.print(due.deletion_due_at)
    this.note(due.message, `Keep it: ${keep}`)
    return due
  }
}

/** With the server, which the profile no longer has. */
const keepCommand = ({ profile, server }: Account): string =>
  loginCommand(profile, server, 'account undelete')

/** The sessions of the account have ended, so a profile with one of them is of no use. */
function forget({ source, profile, credentials }: Account): void {
  if (credentials.kind !== 'session' || readProfile(source)?.token !== credentials.token) return
  removeProfile(source)
  forgetNames(profile, process.env)
}
