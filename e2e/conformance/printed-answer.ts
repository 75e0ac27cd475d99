/** What dig, kdig and drill print of an answer, in one form. */

export interface PrintedAnswer {
  readonly rcode: string
  /** `qr aa`, as they are in the header. */
  readonly flags: string
  /** Section by name, `EDNS` among them; its lines without order, since RRs of an RRset have none. */
  readonly sections: Readonly<Record<string, readonly string[]>>
  /** What the program has to say against the message. */
  readonly warnings: readonly string[]
}

const WARNING =
  /warning|error:|malformed|extra bytes|trailing|mismatch|unexpected|failed|timed out/i
// Of the program's own limits, not of the message: what it says of every answer with TC.
const SAID_OF_EVERY_TRUNCATION = /^;; WARNING: The answer packet was truncated; you might want to$/

/** @throws Error with the text when it holds no answer */
export function readPrintedAnswer(text: string): PrintedAnswer {
  const rcode = /->>HEADER<<-.* (?:status|rcode): (\w+)/.exec(text)?.[1]
  const flags = /^;; flags: *([a-z ]*?) *;/im.exec(text)?.[1]
  if (rcode === undefined || flags === undefined) throw new Error(`no answer was printed: ${text}`)
  const sections: Record<string, string[]> = {}
  const remarks: string[] = []
  let section: string[] | undefined
  for (const line of text.split('\n').map((one) => one.replaceAll(/\s+/g, ' ').trim())) {
    const heading = /^;; ([A-Z ]+?) ?SECTION:$/.exec(line)?.[1]
    // drill tells of EDNS below the sections.
    const isEdns = line.startsWith(';; EDNS: version')
    if (heading !== undefined)
      section = sections[heading.endsWith('PSEUDO') ? 'EDNS' : heading] = []
    else if (line === '') section = undefined
    else if (isEdns) sections['EDNS'] = [line]
    else (section ?? remarks).push(line)
  }
  for (const lines of Object.values(sections)) lines.sort()
  const filled = Object.entries(sections).filter(([, lines]) => lines.length > 0)
  const warnings = remarks.filter(
    (line) => WARNING.test(line) && !SAID_OF_EVERY_TRUNCATION.test(line),
  )
  return { rcode, flags, sections: Object.fromEntries(filled), warnings }
}
