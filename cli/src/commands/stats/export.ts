import type { components } from '@homing/openapi/client'
import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { AccountCommand } from '../../account-command.ts'
import { type Answer, listOf } from '../../lib/api.ts'
import { writeParts } from '../../lib/file-output.ts'
import { ofDomain, periodFlags, periodOf } from '../../lib/query-period.ts'
import { streamed } from '../../lib/streamed.ts'

type Row = components['schemas']['ExportedQueries']

const URL_OF_FILE = '/api/dns-stats/export'
const TYPES = { csv: 'text/csv', json: 'application/json' } as const

export default class StatsExport extends AccountCommand {
  static override summary = 'Write DNS queries to a CSV or JSON file.'
  static override description =
    'A row for each part of the period, domain and value: start, domain, dimension, value and queries. Only plans with data export have it.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --last 30d --output queries.csv',
    '<%= config.bin %> <%= command.id %> home.example.net --by country --format json',
  ]
  static override jsonFields = ['from', 'domain', 'dimension', 'value', 'queries']
  static override args = {
    name: Args.string({ description: 'your domain, in full or its first label; default: all' }),
  }
  static override flags = {
    ...periodFlags,
    format: Flags.option({
      description: 'the form of the file',
      options: ['csv', 'json'] as const,
      default: 'csv',
    })(),
    output: Flags.string({
      description: 'the file to write; default: stdout',
      helpValue: 'FILE',
      exclusive: ['json'],
    }),
  }

  async run(): Promise<unknown> {
    const { args, flags } = await this.parse(StatsExport)
    const { format, output } = flags
    const period = periodOf(flags, Date.now())
    return this.asCaller(flags, async (caller) => {
      const query = await ofDomain(caller.api, period, args.name)
      if (this.jsonEnabled()) {
        const params = { query: { ...query, format: 'json' } } as const
        const answer = await caller.api.GET(URL_OF_FILE, { params })
        // The other form, text, is that of CSV.
        return listOf(answer as Answer<readonly Row[]>, 'from', 'domain')
      }
      const parameters = new URLSearchParams({ ...query, format })
      const path = `${URL_OF_FILE}?${parameters.toString()}`
      await writeParts(streamed(caller, { path, type: TYPES[format] }), output)
      if (output !== undefined) this.note(`Written: ${output}`)
      return undefined
    })
  }
}
