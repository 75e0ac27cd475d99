import * as Args from '@oclif/core/args'
import { AccountCommand } from '../../account-command.ts'
import { succeeded } from '../../lib/api.ts'
import { findDomain, ofName } from '../../lib/domains.ts'
import { requireLeave } from '../../lib/removal.ts'
import { counted } from '../../lib/text.ts'

export default class DomainsRemove extends AccountCommand {
  static override summary = 'Remove domains.'
  static override aliases = ['domains:delete', 'domains:rm']
  static override description =
    'DNS stops answering for them, and their wildcards are removed too. You can restore them for 30 days. In zones of the service, the newest stay reserved for you meanwhile, as many as your plan allows; in your own zones nobody else can register a domain. If one of the domains is not yours, nothing is removed.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> home.example.net',
    '<%= config.bin %> <%= command.id %> office.example.net lab.example.net --yes',
  ]
  static override jsonFields = ['fqdn', 'removed']
  static override args = {
    names: Args.string({
      description: 'your domains, in full or their first labels',
      required: true,
      multiple: true,
    }),
  }

  async run() {
    const { args, flags } = await this.parse(DomainsRemove)
    return this.asCaller(flags, async ({ api }) => {
      const found = new Set<string>()
      for (const name of args.names) found.add((await findDomain(api, name)).fqdn)
      const names = [...found]
      await requireLeave(this.asking(flags), flags, `Remove ${names.join(', ')}?`)
      for (const fqdn of names) {
        const params = { path: { fqdn } }
        succeeded(ofName(fqdn, await api.DELETE('/api/domains/fqdn/{fqdn}', { params })))
        this.print(fqdn)
      }
      this.note(...removedSentences(names))
      return names.map((fqdn) => ({ fqdn, removed: true }))
    })
  }
}

const WILDCARD = '*.'

/** What was removed, and how to get it back: a domain is restored, a wildcard is created again. */
function removedSentences(names: readonly string[]): string[] {
  const domains = names.filter((name) => !name.startsWith(WILDCARD))
  const wildcards = names.filter((name) => name.startsWith(WILDCARD))
  const restorable = `You can restore ${domains.length === 1 ? 'it' : 'them'} for 30 days.`
  return [
    ...(domains.length === 0
      ? []
      : [
          `Removed ${counted(domains.length, 'domain')}. ${restorable}`,
          `Undo: homing domains restore ${domains[0]}`,
        ]),
    ...wildcards.map((name) => {
      const again = `homing domains wildcard ${name.slice(WILDCARD.length)}`
      return `Removed the wildcard ${name}. Create it again: ${again}`
    }),
  ]
}
