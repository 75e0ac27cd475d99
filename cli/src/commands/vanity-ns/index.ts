import * as Flags from '@oclif/core/flags'
import { AccountCommand } from '../../account-command.ts'
import { facts } from '../../lib/output.ts'
import { nextCheck } from '../../lib/own-zones.ts'
import { readVanity, VANITY_FIELDS, vanityFacts, type VanityStatus } from '../../lib/vanity.ts'
import { zoneText } from '../../lib/zone-output.ts'

export default class VanityNs extends AccountCommand {
  static override summary = 'Show your vanity name servers and whether they work.'
  static override aliases = ['vanity-ns:status']
  static override description =
    'Shows the last check of the service; vanity-ns verify makes a new one. In a pipe, the lines of the name servers, of the tasks that prove the ownership, of the facts and, with --verbose, of the parent servers begin with nameserver, task, fact and parent.'
  static override examples = [
    '<%= config.bin %> vanity-ns status',
    '<%= config.bin %> vanity-ns status --verbose',
    '<%= config.bin %> vanity-ns status --json=verified,zones_count',
  ]
  static override jsonFields = VANITY_FIELDS
  static override flags = {
    verbose: Flags.boolean({ description: 'show the response of each parent name server' }),
  }

  async run() {
    const { flags } = await this.parse(VanityNs)
    const status = await this.asCaller(flags, ({ api }) => readVanity(api))
    const about = vanityFacts(status)
    const { zone } = status
    const isVerbose = flags.verbose
    this.print(zone === null ? facts(about) : await zoneText(zone, { about, isVerbose }))
    this.note(nextStep(status))
    return status
  }
}

function nextStep({ available, verified, message, zone }: VanityStatus): string {
  if (!available) return message ?? 'Your plan does not include vanity name servers.'
  if (zone === null) return 'Set them up: homing vanity-ns setup example.com'
  if (verified) return 'Use them for another zone: homing zones add example.org --vanity'
  const soon = nextCheck(zone, Date.now())
  return `${soon === undefined ? '' : `${soon} `}Check now: homing vanity-ns verify`
}
