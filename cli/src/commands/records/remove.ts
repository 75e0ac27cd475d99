import * as Flags from '@oclif/core/flags'
import { AccountCommand } from '../../account-command.ts'
import { usage } from '../../lib/failure.ts'
import { fieldLine } from '../../lib/output.ts'
import { deleteRecord } from '../../lib/record-calls.ts'
import { findPlace, type Place, placeArgument, placeFlags } from '../../lib/record-places.ts'
import { dropValues } from '../../lib/record-values.ts'
import {
  dryRunFlag,
  findRecord,
  type Named,
  named,
  recordArguments,
  versionFlag,
} from '../../lib/records.ts'
import { requireLeave } from '../../lib/removal.ts'
import { counted, printable } from '../../lib/text.ts'

export default class RecordsRemove extends AccountCommand {
  static override summary = 'Delete a record, or some of its values.'
  static override aliases = ['records:delete', 'records:rm']
  static override description =
    'With --value, the other values stay, and the record is deleted with its last one. A value that it does not have is not an error, so that a hook can run twice. The history of a domain can undo it for 30 days.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> home.example.net TXT _acme-challenge',
    '<%= config.bin %> <%= command.id %> home 81 --yes',
    'From a hook\n<%= config.bin %> <%= command.id %> home TXT _acme-challenge --value gfj9XqRg85nM --yes',
  ]
  static override jsonFields = ['id', 'owner', 'type', 'removed', 'changed', 'values']
  static override args = { name: placeArgument, ...recordArguments }
  static override flags = {
    value: Flags.string({
      description: 'delete only this value',
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'VALUE',
    }),
    'if-version': versionFlag,
    'dry-run': dryRunFlag,
    ...placeFlags,
  }

  async run() {
    const { args, flags } = await this.parse(RecordsRemove)
    const { value, 'if-version': version, 'dry-run': isDryRun } = flags
    if (value !== undefined && version !== undefined) {
      throw usage('--value and --if-version cannot be used together.')
    }
    const { place, record, left, isChanged } = await this.asCaller(flags, async ({ api }) => {
      const found = await findPlace(api, args.name, flags)
      const allow = async (question: string) => {
        if (!isDryRun) await requireLeave(this.asking(flags), flags, question)
      }
      if (value !== undefined) {
        await allow(`Delete ${counted(value.length, 'value')} of ${wantedName(args)}?`)
        return { place: found, ...(await dropValues(api, found, args, value, { isDryRun })) }
      }
      const whole = await findRecord(api, found, args)
      await allow(`Delete ${named(whole)} with ${counted(whole.values.length, 'value')}?`)
      await deleteRecord(api, found, whole.id, { isDryRun, version })
      return { place: found, record: whole, left: [], isChanged: true }
    })
    if (record === undefined) {
      this.note(`${place.name} has no such record. Nothing was deleted.`)
      return { removed: false, changed: false, values: [] }
    }
    const { id, owner, type } = record
    if (!isChanged) {
      this.note('It has no such value. Nothing was deleted.')
      return { id, owner, type, removed: false, changed: false, values: left }
    }
    this.print(fieldLine([id, owner, type]))
    if (isDryRun) this.note('Nothing was changed. The rules allow it.')
    else this.note(...removedSentences(place, left.length))
    const isRemoved = !isDryRun && left.length === 0
    return { id, owner, type, removed: isRemoved, changed: !isDryRun, values: left }
  }
}

const wantedName = ({ type, owner = '' }: Named) =>
  printable(`${type.toUpperCase()} ${owner}`.trimEnd())

function removedSentences({ kind, name, recordsOnly }: Place, left: number): string[] {
  const what = left === 0 ? 'Deleted.' : `Deleted. ${counted(left, 'value')} left.`
  const canUndo = kind === 'domain' && recordsOnly !== true
  return canUndo ? [what, `Undo: homing domains undo ${name}`] : [what]
}
