import { Readable } from 'node:stream'
import { requireAllowance } from '../../limits/require-allowance.ts'
import { handlersFor } from '../../plugins/contract.ts'
import { accountArchive } from './archive.ts'

export const accountExportHandlers = handlersFor('account-export', {
  async exportAccount({ services, principal }) {
    const { id } = principal.account
    await requireAllowance(services, 'export-account', id)
    // Buffered by octets: in object mode, sixteen batches would be read ahead.
    return { body: Readable.from(await accountArchive(services, id), { objectMode: false }) }
  },
})
