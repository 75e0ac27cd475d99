/** The intended differences between the answers of dnsd and Knot. Any other difference is a bug in one of them. */
import type { Question } from './dig-likes.ts'
import type { PrintedAnswer } from './printed-answer.ts'

export interface DeliberateDifference {
  readonly what: string
  readonly why: string
  concerns(question: Question): boolean
  /** The answer without the parts that may differ. */
  apartFromIt(answer: PrintedAnswer): PrintedAnswer
}

type Lines = readonly string[]

function withSection(
  answer: PrintedAnswer,
  name: string,
  change: (lines: Lines) => Lines,
): PrintedAnswer {
  const { [name]: lines = [], ...others } = answer.sections
  const changed = change(lines)
  return { ...answer, sections: changed.length === 0 ? others : { ...others, [name]: changed } }
}

/** The type of a printed record: owner, TTL, class, type. */
const typeOf = (record: string) => record.split(' ')[3] ?? ''

export const DELIBERATE_DIFFERENCES: readonly DeliberateDifference[] = [
  {
    what: 'NAPTR and HTTPS come with the SRV and address records of the names in them',
    why: 'RFC 3403 §4.2 and RFC 9460 §4.1 recommend it: it saves the next question',
    concerns: ({ type }) => type === 'NAPTR' || type === 'HTTPS',
    apartFromIt: (answer) => withSection(answer, 'ADDITIONAL', () => []),
  },
  {
    what: 'a CNAME that a DNAME means keeps the case of the labels that were asked',
    why: 'these labels are the question’s own (RFC 6672 §2.2), and a name that is asked keeps its case (RFC 4343 §4.1)',
    concerns: ({ name }) => /mirror/i.test(name) && name !== name.toLowerCase(),
    apartFromIt: (answer) =>
      withSection(answer, 'ANSWER', (lines) => lines.map((line) => line.toLowerCase()).sort()),
  },
  {
    what: 'a refusal for the class says why, in an extended DNS error',
    why: 'RFC 8914: a resolver’s operator sees a reason instead of a bare REFUSED; Knot gives one for class IN only',
    concerns: ({ class: qclass = 'IN' }) => qclass !== 'IN',
    apartFromIt: (answer) =>
      withSection(answer, 'EDNS', (lines) => lines.filter((line) => !/^;+ EDE: /.test(line))),
  },
  {
    what: 'of the RRsets that ANY may be answered with, it is another',
    why: 'RFC 8482 §4.1 leaves the choice to the server; dnsd takes the smallest one',
    concerns: ({ type }) => type === 'ANY',
    // The answer must be one RRset.
    apartFromIt: (answer) =>
      withSection(answer, 'ANSWER', (lines) =>
        new Set(lines.map(typeOf)).size === 1 ? ['one RRset'] : lines,
      ),
  },
]

export interface Comparison {
  /** The differences that are not deliberate. Empty if the answers are equal. */
  readonly differing: readonly string[]
  /** The deliberate difference, if any. */
  readonly deliberate?: DeliberateDifference
}

const textOf = (answer: PrintedAnswer) => JSON.stringify(answer)

/** Compares the header and the sections of two answers to one query. */
export function compare(question: Question, dnsd: PrintedAnswer, knot: PrintedAnswer): Comparison {
  if (textOf(dnsd) === textOf(knot)) return { differing: [] }
  const { name, type, class: qclass = 'IN' } = question
  const differing = [`${name} ${qclass} ${type}\n  dnsd ${textOf(dnsd)}\n  Knot ${textOf(knot)}`]
  const deliberate = DELIBERATE_DIFFERENCES.find(
    (one) =>
      one.concerns(question) && textOf(one.apartFromIt(dnsd)) === textOf(one.apartFromIt(knot)),
  )
  return deliberate === undefined ? { differing } : { differing: [], deliberate }
}
