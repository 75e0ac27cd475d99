import * as Args from '@oclif/core/args'
import { AccountCommand } from '../../../account-command.ts'
import { listOf } from '../../../lib/api.ts'
import { findDomain } from '../../../lib/domains.ts'
import { WINDOW_FIELDS, windowListing } from '../../../lib/maintenance.ts'
import { listed } from '../../../lib/output.ts'

export default class Maintenance extends AccountCommand {
  static override summary = 'List the maintenance windows of a domain.'
  static override description =
    'In a pipe, each line has id, start, end, repetition, time zone, start of the current or next window, and note, separated by tabs.'
  static override examples = ['<%= config.bin %> <%= command.id %> home.example.net']
  static override jsonFields = WINDOW_FIELDS
  static override args = {
    name: Args.string({ description: 'your domain, in full or its first label', required: true }),
  }

  async run() {
    const { args, flags } = await this.parse(Maintenance)
    return this.asCaller(flags, async ({ api }) => {
      const { id, fqdn } = await findDomain(api, args.name)
      const call = { params: { path: { id } } }
      const windows = listOf(await api.GET('/api/uptime/domain/{id}/maintenance', call), 'id')
      this.print(await listed(windows, windowListing))
      if (windows.length === 0) {
        this.note(
          `No maintenance is announced. Announce it: homing monitors maintenance add ${fqdn} --for 2h`,
        )
      }
      return windows
    })
  }
}
