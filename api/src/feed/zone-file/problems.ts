/** What is wrong with a zone file, line by line, and the refusal that carries it. */

export interface ZoneFileProblem {
  /** Counted from 1; 0 for what concerns the file as a whole. */
  readonly line: number
  readonly message: string
}

/** Beyond this many, problems are counted and no longer kept: a million wrong lines must not fill memory. */
const PROBLEMS_KEPT = 1_000

/** The problems of one file, in the order of its lines. */
export class ProblemList {
  #kept: ZoneFileProblem[] = []
  #count = 0

  /** @param more problems of the same kind that are not told one by one */
  add(problem: ZoneFileProblem, more = 0): void {
    this.#count += 1 + more
    if (this.#kept.length < PROBLEMS_KEPT) this.#kept.push(problem)
  }

  /** @throws ZoneFileRefused when there is a problem */
  requireNone(): void {
    if (this.#count === 0) return
    const sorted = this.#kept.toSorted((a, b) => a.line - b.line)
    throw new ZoneFileRefused(sorted, this.#count)
  }
}

/** The file has errors; nothing of it was imported. */
export class ZoneFileRefused extends Error {
  /** In the order of lines; the first thousand. */
  readonly problems: readonly ZoneFileProblem[]
  /** Of all problems, also those not kept. */
  readonly count: number

  constructor(problems: readonly ZoneFileProblem[], count: number) {
    super(`the zone file has ${count} ${count === 1 ? 'error' : 'errors'}; nothing was imported`)
    this.name = 'ZoneFileRefused'
    this.problems = problems
    this.count = count
  }
}

/** Somebody registered a name that the file holds or hides. What was imported before that stays. */
export class NameRegisteredMeanwhile extends Error {
  constructor(fqdn: string) {
    super(
      `a user registered ${fqdn} during the import, so only a part of the file was imported; import it again to see the conflicts`,
    )
    this.name = 'NameRegisteredMeanwhile'
  }
}

/** The zone cannot be imported, whatever its file says. */
export class ZoneNotImportable extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ZoneNotImportable'
  }
}

/** There is no such zone. */
export class ZoneNotExportable extends Error {
  constructor(zone: string) {
    super(`the zone ${zone} does not exist`)
    this.name = 'ZoneNotExportable'
  }
}
