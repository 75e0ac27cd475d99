import * as Flags from '@oclif/core/flags'
import { AccountCommand } from '../../account-command.ts'
import { listOf, succeeded } from '../../lib/api.ts'
import { NOTICE_FIELDS, noticeListing } from '../../lib/notices.ts'
import { listed } from '../../lib/output.ts'

export default class AccountNotices extends AccountCommand {
  static override summary = 'List what currently concerns your account.'
  static override description =
    'The most important notice is first. In a pipe, each line has id, severity, title, text, path of the page that settles it, whether it can be dismissed, and since when it applies, separated by tabs. A dismissed notice is hidden, in the dashboard too, until its cause occurs again.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --dismiss keys-expiring-1778574600000',
    '<%= config.bin %> <%= command.id %> --json=kind,title,text',
  ]
  static override jsonFields = NOTICE_FIELDS
  static override flags = {
    dismiss: Flags.string({
      description: 'hide this notice, and list the others',
      helpValue: 'ID',
      multiple: true,
    }),
  }

  async run() {
    const { flags } = await this.parse(AccountNotices)
    const notices = await this.asCaller(flags, async ({ api }) => {
      for (const id of flags.dismiss ?? []) {
        const params = { path: { id } }
        succeeded(await api.POST('/api/me/notices/{id}/dismiss', { params }))
      }
      return listOf(await api.GET('/api/me/notices'), 'id', 'title')
    })
    this.print(await listed(notices, noticeListing))
    if (notices.length === 0) this.note('There is nothing that concerns your account now.')
    return notices
  }
}
