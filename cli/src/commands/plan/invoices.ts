import * as Args from '@oclif/core/args'
import { AccountCommand } from '../../account-command.ts'
import {
  findInvoice,
  INVOICE_FIELDS,
  invoiceListing,
  invoiceText,
  readInvoices,
  readSeller,
} from '../../lib/invoices.ts'
import { listed } from '../../lib/output.ts'
import { counted } from '../../lib/text.ts'

export default class PlanInvoices extends AccountCommand {
  static override summary = 'List your invoices and credit notes, or print one.'
  static override description =
    'The newest first. In a pipe, each line has number, time, kind, state, total in cents, currency and provider, separated by tabs. With a number, the invoice is printed as text.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> H-2026-000123 > invoice.txt',
    '<%= config.bin %> <%= command.id %> --json=number,totalCents,currency',
  ]
  static override jsonFields = INVOICE_FIELDS
  static override args = {
    number: Args.string({ description: 'the number of an invoice or a credit note' }),
  }

  async run() {
    const { args, flags } = await this.parse(PlanInvoices)
    const { number } = args
    if (number !== undefined) {
      const [invoice, seller] = await this.asCaller(flags, async ({ api, account }) =>
        Promise.all([findInvoice(api, number), readSeller(api, account.server)]),
      )
      this.print(invoiceText(invoice, seller))
      return invoice
    }
    const invoices = await this.asCaller(flags, ({ api }) => readInvoices(api))
    this.print(await listed(invoices, invoiceListing))
    if (invoices.length === 0) this.note('You have no invoices.')
    else
      this.note(`${counted(invoices.length, 'document')}. Print one: homing plan invoices NUMBER`)
    return invoices
  }
}
