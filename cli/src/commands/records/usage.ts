import { AccountCommand } from '../../account-command.ts'
import { bodyOf } from '../../lib/api.ts'
import { facts } from '../../lib/output.ts'

/** What a plan counts. */
const COUNTS = { txt: 'values of TXT records', all: 'records' } as const
const TYPES = { txt: 'TXT', all: 'all' } as const

export default class RecordsUsage extends AccountCommand {
  static override summary = 'Show how many records you have, and what your plan includes.'
  static override description =
    'All values of one type at one name are one record. A plan that includes TXT records only counts their values instead.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --json=used,limit',
  ]
  static override jsonFields = ['used', 'limit', 'record_types', 'minimum_ttl']

  async run() {
    const { flags } = await this.parse(RecordsUsage)
    const usage = await this.asCaller(flags, async ({ api }) =>
      bodyOf(await api.GET('/api/records/usage'), 'used', 'limit', 'record_types'),
    )
    const { used, limit, record_types, minimum_ttl } = usage
    this.print(
      facts([
        ['used', used],
        ['limit', limit],
        ['counted', COUNTS[record_types]],
        ['types', TYPES[record_types]],
        ['minimum ttl', `${minimum_ttl} s`],
      ]),
    )
    return usage
  }
}
