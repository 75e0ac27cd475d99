/** Reads a zone file into RRsets, with a problem for each line that cannot be one. */
import type { ZoneFileProblem } from '@homing/openapi'
import { PLAN_BOUNDS, RECORD_BOUNDS } from '@homing/openapi/vocabulary'
import {
  canonicalName,
  canonicalRdata,
  isProblem,
  isSubdomain,
  MasterFileParser,
  type MasterRecord,
  nameFromText,
  nameToText,
  ROOT_NAME,
  TYPE,
  typeToText,
} from '@homing/dnsd/names'
import { setImmediate } from 'node:timers/promises'
import type { AddressPolicy } from '../../rules/addresses.ts'
import { Refusal } from '../../rules/errors.ts'
import { requireValidSet, valueTexts } from '../../rules/records-values.ts'
import { parseRecordOwner, reasonAgainst } from '../../rules/records.ts'
import type { WishedSet } from './record-line.ts'

const PROBLEMS_SHOWN = 100
const PART_CHARACTERS = 16_384
/** A file with so many wrong lines is not a zone file, and is not read to its end. */
const ERRORS_LIMIT = 10_000
const DEFAULT_TTL_SECONDS = 3600
/** More than any plan includes: such a file is not read to its end. */
const SETS_LIMIT = PLAN_BOUNDS.record_limit.maximum + 100

const byLine = (a: ZoneFileProblem, b: ZoneFileProblem) => a.line - b.line

/** The first problems by line, however many there are: a file of wrong lines has millions. */
class FirstProblems {
  readonly #kept: ZoneFileProblem[] = []
  count = 0

  add(problem: ZoneFileProblem): void {
    this.count += 1
    this.#kept.push(problem)
    if (this.#kept.length > 2 * PROBLEMS_SHOWN) this.#kept.sort(byLine).splice(PROBLEMS_SHOWN)
  }

  first(most: number): ZoneFileProblem[] {
    return this.#kept.toSorted(byLine).slice(0, Math.max(0, most))
  }
}

/** The problems of one file. */
export class FileProblems {
  readonly #errors = new FirstProblems()
  readonly #skipped = new FirstProblems()

  add(problem: ZoneFileProblem): void {
    const those = problem.is_skipped ? this.#skipped : this.#errors
    those.add(problem)
  }

  get hasErrors(): boolean {
    return this.#errors.count > 0
  }

  get hasTooMany(): boolean {
    return this.#errors.count >= ERRORS_LIMIT
  }

  /** The first of them by line, errors before lines that are only left out. */
  body(): { readonly problems: ZoneFileProblem[]; readonly problem_count: number } {
    const errors = this.#errors.first(PROBLEMS_SHOWN)
    const skipped = this.#skipped.first(PROBLEMS_SHOWN - errors.length)
    return {
      problems: [...errors, ...skipped].toSorted(byLine),
      problem_count: this.#errors.count + this.#skipped.count,
    }
  }
}

/** An RRset of the file. */
export interface FileSet extends WishedSet {
  readonly ttl: number
  /** Of its first record. */
  readonly line: number
}

interface Draft {
  readonly owner: string
  readonly type: number
  readonly ttl: number
  readonly line: number
  readonly wires: Map<string, Buffer>
}

const MADE_BY_SERVICE: ReadonlyMap<number, string> = new Map([
  [TYPE.SOA, 'The SOA record of the zone is made by the service and is left out.'],
  [TYPE.NS, 'The NS records of the zone itself are made by the service and are left out.'],
])

/** Why a record is left out although the rest is imported. */
function skipReason(owner: string, type: number, place: string): string | undefined {
  return type === TYPE.SOA || owner === place ? MADE_BY_SERVICE.get(type) : undefined
}

class FileReader {
  readonly #place: string
  readonly #apex: Buffer
  readonly #problems: FileProblems
  readonly #drafts = new Map<string, Draft>()

  constructor(place: string, problems: FileProblems) {
    this.#place = place
    this.#apex = nameFromText(place, ROOT_NAME)
    this.#problems = problems
  }

  get apex(): Buffer {
    return this.#apex
  }

  get drafts(): Iterable<Draft> {
    return this.#drafts.values()
  }

  /** @throws Refusal `record-limit` for more than any plan includes */
  take(record: MasterRecord): void {
    const { line, type } = record
    const owner = nameToText(canonicalName(record.owner))
    const about = { line, owner, type: typeToText(type) }
    const skipped = skipReason(owner, type, this.#place)
    if (skipped !== undefined) {
      this.#problems.add({ ...about, detail: skipped, is_skipped: true })
      return
    }
    const fault = this.#faultOf(record, owner)
    if (fault !== undefined) this.#problems.add({ ...about, detail: fault, is_skipped: false })
    else this.#put(record, owner)
  }

  #faultOf({ owner: wire, type }: MasterRecord, owner: string): string | undefined {
    if (!isSubdomain(wire, this.#apex)) {
      return `${owner} is not at or below ${this.#place}. A file can contain only such names.`
    }
    const reason = reasonAgainst(type)
    if (reason !== undefined) return reason
    try {
      parseRecordOwner(`${owner}.`, this.#place)
      return undefined
    } catch (error) {
      if (error instanceof Refusal) return error.message
      throw error
    }
  }

  #put({ line, ttlSeconds: ttl, type, rdata }: MasterRecord, owner: string): void {
    const key = `${owner} ${type}`
    const draft = this.#drafts.get(key) ?? { owner, type, ttl, line, wires: new Map() }
    if (draft.ttl !== ttl) {
      const detail = `The ${typeToText(type)} records of ${owner} have different TTLs; the first one has ${draft.ttl} (RFC 2181 §5.2).`
      this.#problems.add({ line, owner, type: typeToText(type), detail, is_skipped: false })
      return
    }
    // A file can have a million of them. One more than is possible is enough to refuse them.
    if (draft.wires.size <= RECORD_BOUNDS.values) {
      draft.wires.set(canonicalRdata(type, rdata).toString('latin1'), rdata)
    }
    this.#drafts.set(key, draft)
    if (this.#drafts.size <= SETS_LIMIT) return
    throw new Refusal(
      'record-limit',
      `The file has more than ${PLAN_BOUNDS.record_limit.maximum} records, which is more than any plan includes. Import a smaller file.`,
    )
  }
}

/**
 * Reads the RRsets of a zone file. A record that occurs twice counts once.
 *
 * @param place the origin, in stored form
 * @throws Refusal `record-limit`
 */
export async function readZoneFile(
  text: string,
  place: string,
  policy: AddressPolicy,
  problems: FileProblems,
): Promise<FileSet[]> {
  const reader = new FileReader(place, problems)
  const options = { origin: reader.apex, defaultTtlSeconds: DEFAULT_TTL_SECONDS }
  const parser = new MasterFileParser(options)
  const octets = Buffer.from(text, 'utf8')
  const takeAll = (items: ReturnType<typeof parser.push>) => {
    for (const item of items) {
      if (!isProblem(item)) reader.take(item)
      else {
        const { line, message: detail } = item
        problems.add({ line, owner: null, type: null, detail, is_skipped: false })
      }
    }
  }
  for (let at = 0; at < octets.length; at += PART_CHARACTERS) {
    takeAll(parser.push(octets.subarray(at, at + PART_CHARACTERS)))
    if (problems.hasTooMany) return []
    // Other calls go on between the parts of a large file.
    await setImmediate()
  }
  takeAll(parser.end())
  return [...reader.drafts].flatMap((draft) => fileSet(draft, policy, problems))
}

function fileSet(draft: Draft, policy: AddressPolicy, problems: FileProblems): FileSet[] {
  const { owner, type: number, ttl, line } = draft
  const type = typeToText(number)
  const wires = [...draft.wires.values()]
  try {
    requireValidSet(owner, number, wires)
    return [{ owner, type, ttl, line, values: valueTexts(number, wires, policy) }]
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    problems.add({ line, owner, type, detail: error.message, is_skipped: false })
    return []
  }
}
