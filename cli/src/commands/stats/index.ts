import { AccountCommand } from '../../account-command.ts'
import { bodyOf } from '../../lib/api.ts'
import { GEOGRAPHY_SOURCE, SUMMARY_FIELDS, summaryText } from '../../lib/query-summary.ts'
import { ago } from '../../lib/text.ts'

export default class Stats extends AccountCommand {
  static override summary = 'Show how often your domains are queried, and from where.'
  static override description =
    'Totals of the last 24 hours, 7 and 30 days, each with its change against the period before; the domains with the most queries of 30 days; the countries and networks with the most of 7 days. Plans without DNS analytics get the totals. In a pipe, each line has list (period, domain, country, network), value, label, queries, and the change in percent, separated by tabs. The change is empty without earlier data.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --json=total_queries_30d,queries_by_domain',
  ]
  static override jsonFields = SUMMARY_FIELDS

  async run() {
    const { flags } = await this.parse(Stats)
    const summary = await this.asCaller(flags, async ({ api }) =>
      bodyOf(await api.GET('/api/dns-stats/summary'), 'total_queries_24h', 'queries_by_domain'),
    )
    this.print(await summaryText(summary))
    const { counted_until: until, top_asns, top_countries } = summary
    if (until === null) this.note('No queries were counted yet.')
    else this.note(`Counted until ${ago(until, Date.now())}.`)
    if (top_asns.length + top_countries.length > 0) this.note(GEOGRAPHY_SOURCE)
    return summary
  }
}
