/** The errors of a zone file, line by line, and the exception that reports them. */

export interface ZoneFileProblem {
  /** Counted from 1; 0 for the file as a whole. */
  readonly line: number
  readonly message: string
}

/** Beyond this limit, problems are counted but not stored: a million invalid lines must not fill memory. */
const PROBLEMS_KEPT = 1_000

/** The problems of one file, in line order. */
export class ProblemList {
  #kept: ZoneFileProblem[] = []
  #count = 0

  /** @param more further problems of the same kind that are only counted */
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

/** The file has errors; nothing was imported. */
export class ZoneFileRefused extends Error {
  /** In line order; the first thousand. */
  readonly problems: readonly ZoneFileProblem[]
  /** Of all problems, including those not stored. */
  readonly count: number

  constructor(problems: readonly ZoneFileProblem[], count: number) {
    super(`the zone file has ${count} ${count === 1 ? 'error' : 'errors'}; nothing was imported`)
    this.name = 'ZoneFileRefused'
    this.problems = problems
    this.count = count
  }
}

/**
 * A user registered a name that the file contains or hides. What was imported before that stays.
 */
export class NameRegisteredMeanwhile extends Error {
  constructor(fqdn: string) {
    super(
      `a user registered ${fqdn} during the import, so only a part of the file was imported; import it again to see the conflicts`,
    )
    this.name = 'NameRegisteredMeanwhile'
  }
}

/** The zone cannot be imported, whatever the file contains. */
export class ZoneNotImportable extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ZoneNotImportable'
  }
}

/** The zone does not exist. */
export class ZoneNotExportable extends Error {
  constructor(zone: string) {
    super(`the zone ${zone} does not exist`)
    this.name = 'ZoneNotExportable'
  }
}
