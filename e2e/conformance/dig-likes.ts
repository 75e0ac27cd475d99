/** dig, kdig and drill: the arguments of each for a query, and many queries in one run. */
import type { Namespace } from '../support/namespaces.ts'
import { type PrintedAnswer, readPrintedAnswer } from './printed-answer.ts'

export type DigLike = 'dig' | 'kdig' | 'drill'

export interface Question {
  readonly name: string
  readonly type: string
  readonly class?: string
}

/** The options of all queries of a run. */
export interface Manner {
  readonly over: 'udp' | 'tcp'
  /** The advertised UDP size, with the DO bit. Undefined: no EDNS. */
  readonly ednsOctets?: number
  /** Queries a resolver; only dig does this here. */
  readonly recursion?: true
}

/** Matches the end of the output for each query. */
const AFTER_EACH: Record<DigLike, RegExp> = {
  dig: /^;; MSG SIZE .*$/m,
  kdig: /^;; From .*$/m,
  drill: /^-- next --$/m,
}

/** dig and kdig accept the same arguments, and all queries in one command. */
function digWords(questions: readonly Question[], server: string, manner: Manner): string[] {
  const { over, ednsOctets, recursion } = manner
  const usual = `${recursion === true ? '+recurse' : '+norecurse'} +nocookie +ignore +time=8 +retry=0`
  const transport = over === 'tcp' ? '+tcp' : '+notcp'
  const edns = ednsOctets === undefined ? '+noedns' : `+edns=0 +bufsize=${ednsOctets} +dnssec`
  return questions.flatMap(({ name, type, class: qclass = 'IN' }) =>
    `@${server} -q ${name} -t ${type} -c ${qclass} ${usual} ${transport} ${edns}`.split(' '),
  )
}

/** drill accepts one query, so a shell runs it for each. */
function drillScript(questions: readonly Question[], server: string, manner: Manner): string {
  const { over, ednsOctets } = manner
  const transport = over === 'tcp' ? '-t' : '-u'
  const edns = ednsOctets === undefined ? '' : `-D -b ${ednsOctets}`
  return questions
    .map(({ name, type, class: qclass = 'IN' }) => {
      const words = `-o rd ${transport} ${edns} @${server} '${name}' ${type} ${qclass}`
      return `drill ${words} 2>&1; echo; echo '-- next --'`
    })
    .join('\n')
}

/**
 * Sends all queries, in one process if the program supports it.
 *
 * @returns the answers in the order of the queries
 * @throws Error with the output, when an answer is missing
 */
export async function askAll(
  { run }: Namespace,
  program: DigLike,
  server: string,
  questions: readonly Question[],
  manner: Manner,
): Promise<PrintedAnswer[]> {
  const printed =
    program === 'drill'
      ? await run('sh', '-c', drillScript(questions, server, manner))
      : await run(program, ...digWords(questions, server, manner))
  const texts = printed.split(AFTER_EACH[program])
  const rest = texts.pop() ?? ''
  if (texts.length !== questions.length || rest.trim() !== '') {
    throw new Error(`${texts.length} answers to ${questions.length} questions:\n${printed}`)
  }
  return texts.map(readPrintedAnswer)
}
