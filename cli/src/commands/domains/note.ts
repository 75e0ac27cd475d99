import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { AccountCommand } from '../../account-command.ts'
import { changeDomain } from '../../lib/change-domain.ts'
import { DOMAIN_FIELDS, findDomain } from '../../lib/domains.ts'
import { usage } from '../../lib/failure.ts'
import { wholeName } from '../../lib/names.ts'

export default class DomainsNote extends AccountCommand {
  static override summary = 'Show, write or remove the note of a domain.'
  static override description = 'A note has at most 200 characters, and can have several lines.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> home.example.net',
    '<%= config.bin %> <%= command.id %> home "Router in the attic"',
    '<%= config.bin %> <%= command.id %> home --remove',
  ]
  static override jsonFields = DOMAIN_FIELDS
  static override args = {
    name: Args.string({ description: 'your domain, in full or its first label', required: true }),
    text: Args.string({ description: 'the new note' }),
  }
  static override flags = {
    remove: Flags.boolean({ description: 'remove the note' }),
  }

  async run() {
    const { args, flags } = await this.parse(DomainsNote)
    const { text } = args
    if (text !== undefined && flags.remove) throw usage('Give a note or --remove, not both.')
    const isChange = text !== undefined || flags.remove
    const domain = await this.asCaller(flags, async ({ api }) =>
      isChange
        ? changeDomain(api, await wholeName(api, args.name), { note: text ?? null })
        : findDomain(api, args.name),
    )
    this.print(domain.note ?? '')
    if (isChange) this.note(domain.note === null ? 'It has no note now.' : 'Noted.')
    return domain
  }
}
