/** Imports a zone file into a place: all of its records in one transaction, or none. */
import type { ZoneFileImport, ZoneFileResult } from '@homing/openapi'
import type { ProblemCode } from '@homing/openapi/vocabulary'
import { reachOf } from '../../caller/principal.ts'
import type { Services } from '../../compose.ts'
import { OWNERS_PER_IMPORT_LIMIT } from '../../feed/change-set.ts'
import type { HeldRecords } from '../../feed/held-records.ts'
import { requireAllowance } from '../../limits/require-allowance.ts'
import type { FoundPlace } from '../../models/record-place.ts'
import { type Reach, requireWithin } from '../../rules/key-scope.ts'
import { changeRecords } from './change-records.ts'
import { findPlace, holdsOwner } from './find-place.ts'
import { FileProblems, type FileSet, readZoneFile } from './read-zone-file.ts'
import { RecordLine } from './record-line.ts'
import { recordPlaces } from './record-places.ts'
import type { RecordCall } from './save-record.ts'

/** Refusals that are about the call and not about a line of the file. */
const OF_THE_CALL = new Set<ProblemCode>(['record-limit', 'domain-locked'])

/** Why a record of the file is left out: the service or a domain has it already. */
function skipReason({ owner, type }: FileSet, { standing }: HeldRecords): string | undefined {
  if (standing.find(owner, type)?.isUsers === false) {
    return `The ${type} records of ${owner} are made by the service and are left out.`
  }
  if ((type === 'A' || type === 'AAAA') && standing.hasDomain(owner)) {
    return `${owner} is a domain. Its addresses are left out.`
  }
  return undefined
}

/** The lines of an import, once it is known what stands. */
class Import {
  readonly lines: RecordLine[] = []
  readonly #lineNumbers = new Map<RecordLine, number>()
  readonly #problems: FileProblems

  constructor(problems: FileProblems) {
    this.#problems = problems
  }

  put(sets: readonly FileSet[], held: HeldRecords): void {
    for (const { line: number, ...set } of sets) {
      const { owner, type } = set
      const detail = skipReason({ line: number, ...set }, held)
      if (detail !== undefined) {
        this.#problems.add({ line: number, owner, type, detail, is_skipped: true })
        continue
      }
      const line = new RecordLine('create', this.lines.length)
      line.wish = { op: 'put', set }
      this.lines.push(line)
      this.#lineNumbers.set(line, number)
    }
  }

  /** Deletes the records in reach that the file does not have. */
  deleteOthers(sets: readonly FileSet[], held: HeldRecords, reach: Reach, place: FoundPlace): void {
    const kept = new Set(sets.map(({ owner, type }) => `${owner} ${type}`))
    for (const row of held.byId.values()) {
      const isKept = kept.has(`${row.owner} ${row.type}`)
      if (isKept || !holdsOwner(reach, place, row.owner, held.standing.domainOf(row.owner)))
        continue
      const line = new RecordLine('delete', this.lines.length)
      line.before = row
      line.wish = { op: 'delete', id: row.id, expects: () => undefined }
      this.lines.push(line)
    }
  }

  /** @throws Refusal `record-limit`, `domain-locked` */
  noteRefusals(): void {
    for (const line of this.lines) {
      const { refusal, owner, type } = line
      if (refusal === undefined) continue
      if (OF_THE_CALL.has(refusal.code)) throw refusal
      const number = this.#lineNumbers.get(line) ?? 1
      this.#problems.add({
        line: number,
        owner,
        type,
        detail: refusal.message,
        is_skipped: false,
      })
    }
  }

  counts() {
    const due = this.lines.filter((line) => line.isDue)
    const deleted = due.filter(({ after }) => after === undefined).length
    const created = due.filter(({ before }) => before === undefined).length
    return {
      created,
      changed: due.length - created - deleted,
      deleted,
      unchanged: this.lines.length - due.length,
    }
  }
}

const NOTHING = { created: 0, changed: 0, deleted: 0, unchanged: 0 }

/**
 * Imports a zone file, or with `dry_run` only checks it. An error in a line is not an error of the call: `problems` says
 * what is wrong.
 *
 * @throws Refusal `not-found`, `zone-not-active`, `record-limit`, `domain-locked`, `account-disabled`, `key-scope`,
 * `rate-limited`, `unavailable`
 */
export async function importRecords(
  services: Services,
  { principal, key, actor }: Omit<RecordCall, 'isDryRun'>,
  { text, replace: isReplacing = false, dry_run: isDryRun = false }: ZoneFileImport,
): Promise<ZoneFileResult> {
  const { knex, config } = services
  const reach = reachOf(principal)
  for (const action of ['create', 'update'] as const) requireWithin(reach, { action })
  if (isReplacing) requireWithin(reach, { action: 'delete' })
  const { fqdn } = await findPlace(knex, reach, key)
  await requireAllowance(services, 'batches-account', reach.userId)
  using _place = recordPlaces.take(knex, reach.userId)
  const problems = new FileProblems()
  const sets = await readZoneFile(text, fqdn, config.addressPolicy, problems)
  const file = new Import(problems)
  const { isApplied } = await changeRecords(services, {
    reach,
    key,
    actor,
    // The other lines are judged too, so that the caller sees all problems at once.
    isDryRun: isDryRun || problems.hasErrors,
    ownersLimit: OWNERS_PER_IMPORT_LIMIT,
    lines(held, place) {
      file.put(sets, held)
      if (isReplacing) file.deleteOthers(sets, held, reach, place)
      return file.lines
    },
  })
  file.noteRefusals()
  const counts = problems.hasErrors ? NOTHING : file.counts()
  return { applied: isApplied, ...counts, ...problems.body() }
}
