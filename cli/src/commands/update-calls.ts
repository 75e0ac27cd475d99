import * as Args from '@oclif/core/args'
import { AccountCommand } from '../account-command.ts'
import { listOf } from '../lib/api.ts'
import { findDomain } from '../lib/domains.ts'
import { listed } from '../lib/output.ts'
import { UPDATE_CALL_FIELDS, updateCallListing } from '../lib/update-calls.ts'

export default class UpdateCalls extends AccountCommand {
  static override summary = 'List the update calls for a domain and the responses.'
  static override description =
    'The newest call is first; equal calls in a row are one line. In a pipe, each line has time, number of calls, address, client, path, parameters, response and hint, separated by tabs.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> home.example.net',
    '<%= config.bin %> <%= command.id %> home --json=last_at,answer,hint_text',
  ]
  static override jsonFields = UPDATE_CALL_FIELDS
  static override args = {
    name: Args.string({ description: 'your domain, in full or its first label', required: true }),
  }

  async run() {
    const { args, flags } = await this.parse(UpdateCalls)
    return this.asCaller(flags, async ({ api }) => {
      const { id, fqdn } = await findDomain(api, args.name)
      const params = { path: { id } }
      const calls = listOf(await api.GET('/api/domains/{id}/update-calls', { params }), 'last_at')
      this.print(await listed(calls, updateCallListing))
      if (calls.length === 0) {
        this.note(`No update client has called for ${fqdn}. Send an update: homing update ${fqdn}`)
      }
      return calls
    })
  }
}
