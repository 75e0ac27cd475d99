import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { AccountCommand } from '../../account-command.ts'
import type { Caller } from '../../lib/caller.ts'
import { findDomain } from '../../lib/domains.ts'
import { LIVE_FIELDS, liveLine, liveQueries, type LiveQuery } from '../../lib/live-queries.ts'

export default class StatsLive extends AccountCommand {
  static override summary = 'Show DNS queries for your domains while they arrive.'
  static override description =
    'Until Ctrl-C, or until --limit queries. The network of the resolver is cut to /24 or /48. When more queries arrive than are sent, only a sample is shown, and each line shows how many queries it represents. In a pipe, each line has time, name, type, response code, transport, network and sample, separated by tabs. With --json, each query is a JSON object on a line of its own. API keys cannot follow queries: sign in first. Not every plan has DNS analytics.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> home.example.net --limit 10',
    'The names that do not exist\n<%= config.bin %> <%= command.id %> | awk -F "\\t" \'$4 == "NXDOMAIN"\'',
  ]
  static override jsonFields = LIVE_FIELDS
  static override args = {
    name: Args.string({ description: 'your domain, in full or its first label; default: all' }),
  }
  static override flags = {
    limit: Flags.integer({
      description: 'end after this number of queries',
      helpValue: 'NUMBER',
      min: 1,
    }),
  }

  async run(): Promise<[]> {
    const { args, flags } = await this.parse(StatsLive)
    await this.asCaller(flags, async (caller) => {
      const { api } = caller
      const domain = args.name === undefined ? undefined : await findDomain(api, args.name)
      this.note(`Waiting for queries for ${domain?.fqdn ?? 'your domains'}. End with Ctrl-C.`)
      await this.#follow(caller, domain?.id, flags.limit ?? Infinity)
    })
    return []
  }

  async #follow(caller: Caller, domainId: string | undefined, limit: number): Promise<void> {
    const onLost = () => this.note('The connection was lost. Connecting again.')
    let shown = 0
    for await (const query of liveQueries(caller, onLost)) {
      if (domainId !== undefined && query.domain_id !== domainId) continue
      this.#show(query)
      shown += 1
      if (shown >= limit) return
    }
  }

  #show(query: LiveQuery): void {
    this.print(liveLine(query))
    if (this.jsonEnabled()) process.stdout.write(`${JSON.stringify(this.toSuccessJson(query))}\n`)
  }

  /** Each query was printed when it arrived. */
  protected override logJson(): void {}
}
