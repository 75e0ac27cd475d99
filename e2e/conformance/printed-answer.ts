/** Parses the output of dig, kdig and drill into one format. */

export interface PrintedAnswer {
  readonly rcode: string
  /** The header flags, such as `qr aa`. */
  readonly flags: string
  /** The sections by name, including `EDNS`. The order of lines has no meaning, because an RRset has no order. */
  readonly sections: Readonly<Record<string, readonly string[]>>
  /** The program's warnings about the message. */
  readonly warnings: readonly string[]
}

const WARNING =
  /warning|error:|malformed|extra bytes|trailing|mismatch|unexpected|failed|timed out/i
// The program prints this for every answer with TC. It is about the program's limits, not the message.
const SAID_OF_EVERY_TRUNCATION = /^;; WARNING: The answer packet was truncated; you might want to$/

/** @throws Error with the text when it contains no answer */
export function readPrintedAnswer(text: string): PrintedAnswer {
  const rcode = /->>HEADER<<-.* (?:status|rcode): (\w+)/.exec(text)?.[1]
  const flags = /^;; flags: *([a-z ]*?) *;/im.exec(text)?.[1]
  if (rcode === undefined || flags === undefined) throw new Error(`no answer was printed: ${text}`)
  const sections: Record<string, string[]> = {}
  const remarks: string[] = []
  let section: string[] | undefined
  for (const line of text.split('\n').map((one) => one.replaceAll(/\s+/g, ' ').trim())) {
    const heading = /^;; ([A-Z ]+?) ?SECTION:$/.exec(line)?.[1]
    // drill prints EDNS after the sections.
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
