import * as Args from '@oclif/core/args'
import { AccountCommand } from '../../account-command.ts'
import { bodyOf } from '../../lib/api.ts'
import { ofDomain, periodFlags, periodOf, readableResolution } from '../../lib/query-period.ts'
import { SERIES_FIELDS, seriesText, totalSentence } from '../../lib/query-series.ts'
import { GEOGRAPHY_SOURCE } from '../../lib/query-summary.ts'

export default class StatsSeries extends AccountCommand {
  static override summary = 'Show DNS queries over time.'
  static override description =
    'Of one domain, or of all. Without --from and --last, the last 24 hours; without --resolution, the finest parts of which there are at most 60. In a pipe, each line has start, value, queries, and the queries of the same part of the period before, separated by tabs. With --by, each value of a part has a line, without the period before. Not every plan has DNS analytics.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> home.example.net --last 30d --by type',
    '<%= config.bin %> <%= command.id %> --from 2026-05-01T00:00Z --to 2026-05-08T00:00Z --by country --json=values',
  ]
  static override jsonFields = SERIES_FIELDS
  static override args = {
    name: Args.string({ description: 'your domain, in full or its first label; default: all' }),
  }
  static override flags = periodFlags

  async run() {
    const { args, flags } = await this.parse(StatsSeries)
    const now = Date.now()
    const asked = periodOf(flags, now)
    const period = { resolution: readableResolution(asked, now), ...asked }
    const series = await this.asCaller(flags, async ({ api }) => {
      const query = await ofDomain(api, period, args.name)
      const answer = await api.GET('/api/dns-stats/series', { params: { query } })
      return bodyOf(answer, 'parts', 'values', 'previous', 'markers')
    })
    this.print(await seriesText(series))
    this.note(totalSentence(series))
    if (flags.by === 'country' || flags.by === 'network') this.note(GEOGRAPHY_SOURCE)
    return series
  }
}
