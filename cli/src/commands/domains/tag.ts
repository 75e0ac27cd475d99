import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { AccountCommand } from '../../account-command.ts'
import { changeDomain } from '../../lib/change-domain.ts'
import { DOMAIN_FIELDS, findDomain } from '../../lib/domains.ts'

/** Upper and lower case are the same, as in the service. */
const folded = (tag: string) => tag.trim().normalize('NFC').toLowerCase()

/** The tags without some, and with others that are not among them yet. */
function changedTags(
  tags: readonly string[],
  added: readonly string[],
  removed: readonly string[],
): string[] {
  const gone = new Set(removed.map(folded))
  const kept = tags.filter((tag) => !gone.has(folded(tag)))
  const known = new Set(kept.map(folded))
  return [...kept, ...added.filter((tag) => !known.has(folded(tag)))]
}

export default class DomainsTag extends AccountCommand {
  static override summary = 'Show, add or remove the tags of a domain.'
  static override description =
    'A domain can have 10 tags of 32 characters. List the domains with a tag: <%= config.bin %> domains --tag TAG'
  static override examples = [
    '<%= config.bin %> <%= command.id %> home.example.net',
    '<%= config.bin %> <%= command.id %> home --add office --add camera --remove attic',
  ]
  static override jsonFields = DOMAIN_FIELDS
  static override args = {
    name: Args.string({ description: 'your domain, in full or its first label', required: true }),
  }
  static override flags = {
    add: Flags.string({
      description: 'a tag to add',
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'TAG',
    }),
    remove: Flags.string({
      description: 'a tag to remove',
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'TAG',
    }),
  }

  async run() {
    const { args, flags } = await this.parse(DomainsTag)
    const { add = [], remove = [] } = flags
    const domain = await this.asCaller(flags, async ({ api }) => {
      const found = await findDomain(api, args.name)
      if (add.length === 0 && remove.length === 0) return found
      const tags = changedTags(found.tags, add, remove)
      // Only if nobody has changed it since it was read: the service replaces all tags.
      return changeDomain(api, found.fqdn, { tags }, found.version)
    })
    this.print(domain.tags.join('\n'))
    if (domain.tags.length === 0)
      this.note(`It has no tags. Add one: homing domains tag ${domain.fqdn} --add TAG`)
    return domain
  }
}
