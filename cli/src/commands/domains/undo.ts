import { UNDOABLE_KINDS } from '@homing/openapi/vocabulary'
import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { AccountCommand } from '../../account-command.ts'
import { bodyOf } from '../../lib/api.ts'
import { newestEvents } from '../../lib/domain-history.ts'
import { addressesOf, DOMAIN_FIELDS, findDomain } from '../../lib/domains.ts'
import { CommandFailure } from '../../lib/failure.ts'
import { EXIT } from '../../lib/exit-codes.ts'
import { fieldLine } from '../../lib/output.ts'

/** The events among which the newest one that can be undone is looked for. */
const SEARCHED = 100

export default class DomainsUndo extends AccountCommand {
  static override summary = 'Undo a change of a domain.'
  static override description =
    'Without an event, the newest change of addresses, pause, note, tags, a record or the web forward is undone. An undo is a change too: a second call undoes the undo.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> home.example.net',
    '<%= config.bin %> <%= command.id %> home 4711 --if-version 3',
  ]
  static override jsonFields = DOMAIN_FIELDS
  static override args = {
    name: Args.string({ description: 'your domain, in full or its first label', required: true }),
    event: Args.string({ description: 'the id of the event (see domains history)' }),
  }
  static override flags = {
    'if-version': Flags.integer({
      description: 'undo it only if the domain still has this version (see domains show)',
      helpValue: 'NUMBER',
      min: 1,
    }),
  }

  async run() {
    const { args, flags } = await this.parse(DomainsUndo)
    const version = flags['if-version']
    const domain = await this.asCaller(flags, async ({ api }) => {
      const { id, fqdn } = await findDomain(api, args.name)
      const kinds: readonly string[] = UNDOABLE_KINDS
      const event_id =
        args.event ??
        (await newestEvents(api, id, SEARCHED)).find(({ kind }) => kinds.includes(kind))?.id
      if (event_id === undefined) {
        throw new CommandFailure(EXIT.notFound, `${fqdn} has no change that can be undone.`)
      }
      const answer = await api.POST('/api/domains/{id}/events/{event_id}/undo', {
        params: { path: { id, event_id } },
        ...(version === undefined ? {} : { headers: { 'if-match': `"${version}"` } }),
      })
      return bodyOf(answer, 'fqdn')
    })
    this.print(fieldLine([domain.fqdn, ...addressesOf(domain)]))
    this.note('Undone.', `Next: homing domains show ${domain.fqdn}`)
    return domain
  }
}
