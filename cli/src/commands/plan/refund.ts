import { AccountCommand } from '../../account-command.ts'
import { bodyOf } from '../../lib/api.ts'
import { amount } from '../../lib/money.ts'
import { requireLeave } from '../../lib/removal.ts'
import { printable } from '../../lib/text.ts'

const QUESTION =
  'Get your first payment back? Later payments, such as for a change of plan, are not refunded. Your plan ends now, and DNS stops serving the domains over the limit of the free plan. No domain is deleted.'

export default class PlanRefund extends AccountCommand {
  static override summary = 'Get your first payment back within 7 days.'
  static override description =
    'The first payment of your first subscription is refunded in full, once. Your plan ends at once. Renewals and changes of plan are not refunded. The service asks you to confirm your identity.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --yes --json',
  ]
  static override jsonFields = ['message', 'amountCents', 'currency']

  async run() {
    const { flags } = await this.parse(PlanRefund)
    await requireLeave(this.asking(flags), flags, QUESTION, 'Nothing was refunded.')
    const refund = await this.asCaller(flags, async ({ api }) =>
      bodyOf(await api.POST('/api/payments/refund'), 'message', 'amountCents', 'currency'),
    )
    this.print(printable(amount(refund.amountCents, refund.currency)))
    this.note(printable(refund.message))
    return refund
  }
}
