import { AccountCommand } from '../../account-command.ts'
import { bodyOf } from '../../lib/api.ts'
import { STATUS_FIELDS } from '../../lib/plans.ts'
import { requireLeave } from '../../lib/removal.ts'
import { printable } from '../../lib/text.ts'

const QUESTION =
  'Are you sure you want to cancel your subscription? You will lose access to premium features at the end of your billing period.'

export default class PlanCancel extends AccountCommand {
  static override summary = 'Cancel your subscription at the end of its paid period.'
  static override description =
    'Until then you keep the plan, and you can resume the subscription. Afterwards, DNS stops serving the domains over the limit of the free plan. No domain is deleted.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --yes --json=endsAt',
  ]
  static override jsonFields = ['message', ...STATUS_FIELDS]

  async run() {
    const { flags } = await this.parse(PlanCancel)
    await requireLeave(this.asking(flags), flags, QUESTION, 'Nothing was cancelled.')
    const { message, status } = await this.asCaller(flags, async ({ api }) =>
      bodyOf(await api.POST('/api/payments/cancel-subscription'), 'message', 'status'),
    )
    this.print(printable(status.endsAt ?? ''))
    this.note(printable(message), 'Keep it: homing plan resume')
    return { message, ...status }
  }
}
