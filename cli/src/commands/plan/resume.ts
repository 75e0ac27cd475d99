import { AccountCommand } from '../../account-command.ts'
import { bodyOf } from '../../lib/api.ts'
import { STATUS_FIELDS } from '../../lib/plans.ts'
import { printable } from '../../lib/text.ts'

export default class PlanResume extends AccountCommand {
  static override summary = 'Resume a cancelled subscription, while its paid period lasts.'
  static override description =
    'The subscription renews again. Nothing is charged before the next payment.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --json=nextPaymentDue',
  ]
  static override jsonFields = ['message', ...STATUS_FIELDS]

  async run() {
    const { flags } = await this.parse(PlanResume)
    const { message, status } = await this.asCaller(flags, async ({ api }) =>
      bodyOf(await api.POST('/api/payments/resume-subscription'), 'message', 'status'),
    )
    this.print(printable(status.nextPaymentDue ?? ''))
    this.note(printable(message))
    return { message, ...status }
  }
}
