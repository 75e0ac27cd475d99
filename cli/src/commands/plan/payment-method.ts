import * as Flags from '@oclif/core/flags'
import { AccountCommand } from '../../account-command.ts'
import { bodyOf } from '../../lib/api.ts'
import { showPage } from '../../lib/browser.ts'
import { requireWebUrl } from '../../lib/pages.ts'

export default class PlanPaymentMethod extends AccountCommand {
  static override summary = 'Change the payment method of your subscription, in your browser.'
  static override description =
    'The page belongs to the payment provider. Its URL is printed, is only for you, and expires soon.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --print',
  ]
  static override jsonFields = ['checkoutUrl', 'opened']
  static override flags = {
    print: Flags.boolean({ description: 'print the URL, and open no browser' }),
  }

  async run() {
    const { flags } = await this.parse(PlanPaymentMethod)
    const answer = await this.asCaller(flags, async ({ api }) =>
      bodyOf(await api.POST('/api/payments/update-payment-method'), 'checkoutUrl'),
    )
    const checkoutUrl = requireWebUrl(answer.checkoutUrl)
    this.print(checkoutUrl)
    const isWanted = !flags.print && !this.jsonEnabled()
    const { opened, message } = await showPage(checkoutUrl, isWanted)
    if (message !== undefined) this.note(message)
    return { checkoutUrl, opened }
  }
}
