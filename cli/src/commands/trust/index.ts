import { AccountCommand } from '../../account-command.ts'
import { listOf } from '../../lib/api.ts'
import { listed } from '../../lib/output.ts'
import { TRUST_FIELDS, trustListing } from '../../lib/trust.ts'

export default class Trust extends AccountCommand {
  static override summary = 'List the pipelines that you trust.'
  static override aliases = ['trust:list', 'trust:ls']
  static override description =
    'In a pipe, each line has id, name, issuer, repository, branch and last use, separated by tabs.'
  static override examples = ['<%= config.bin %> <%= command.id %>']
  static override jsonFields = TRUST_FIELDS

  async run() {
    const { flags } = await this.parse(Trust)
    const policies = await this.asCaller(flags, async ({ api }) =>
      listOf(await api.GET('/api/trust-policies/'), 'id', 'issuer'),
    )
    this.print(await listed(policies, trustListing))
    if (policies.length === 0) {
      this.note('You trust no pipelines. Add one: homing trust add NAME')
    }
    return policies
  }
}
