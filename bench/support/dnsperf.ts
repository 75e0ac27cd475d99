/** Load by dnsperf on the cores that the servers do not have. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { findProgram, LOAD_CORES } from './pinned-process.ts'
import { percentile } from './rounds.ts'

const run = promisify(execFile)
/** A question without an answer for this long is lost. */
const LOST_AFTER_SECONDS = 1
/** Each answer of a paced run is one line. */
const OUTPUT_LIMIT_BYTES = 512 * 1_024 * 1_024

export interface DnsLoad {
  readonly answered: number
  readonly lost: number
  readonly perSecond: number
}

export interface DnsLoadOptions {
  readonly port: number
  /** The questions, as `writeQuestions` writes them. */
  readonly questions: string
  readonly seconds: number
  /** Whether questions come back as they are. */
  readonly isEcho?: boolean
}

export const hasDnsperf = () => findProgram('dnsperf') !== undefined

async function dnsperf(options: DnsLoadOptions, more: readonly string[]): Promise<string> {
  const { port, questions, seconds } = options
  const fixed = ['-s', '127.0.0.1', '-p', String(port), '-d', questions, '-l', String(seconds)]
  const args = ['-c', LOAD_CORES, 'dnsperf', ...fixed, '-t', String(LOST_AFTER_SECONDS), '-e']
  const { stdout } = await run('taskset', [...args, '-c', '1', '-T', '1', ...more], {
    maxBuffer: OUTPUT_LIMIT_BYTES,
  })
  return stdout
}

/** The share of NXDOMAIN that the mix asks for, and how far chance may move it in a run. */
const [NXDOMAIN_SHARE, TOLERANCE] = [0.1, 0.01]

/** @throws Error when the answers cannot be those of the mix: a fast wrong answer must not count as fast */
function requireMix(text: string, answered: number): void {
  const count = (rcode: string) => Number(new RegExp(`${rcode} (\\d+)`).exec(text)?.[1] ?? 0)
  const [noerror, nxdomain] = [count('NOERROR'), count('NXDOMAIN')]
  const share = nxdomain / answered
  if (noerror + nxdomain === answered && Math.abs(share - NXDOMAIN_SHARE) < TOLERANCE) return
  throw new Error(`the answers are not right: ${/Response codes:.*/.exec(text)?.[0] ?? text}`)
}

function figuresOf(text: string, { isEcho = false }: DnsLoadOptions): DnsLoad {
  const number = (label: string) => Number(new RegExp(`${label}: +([\\d.]+)`).exec(text)?.[1])
  const answered = number('Queries completed')
  if (!isEcho) requireMix(text, answered)
  return { answered, lost: number('Queries lost'), perSecond: number('Queries per second') }
}

/** Asks as fast as answers come, with at most `outstanding` questions unanswered at any time. */
export async function ask(
  options: DnsLoadOptions & { readonly outstanding: number },
): Promise<DnsLoad> {
  const text = await dnsperf(options, ['-q', String(options.outstanding)])
  return figuresOf(text, options)
}

export interface PacedLoad extends DnsLoad {
  readonly p50Ms: number
  readonly p99Ms: number
}

/** Asks `perSecond` questions a second, whether answers come or not, and tells how long each answer took. */
export async function askPaced(
  options: DnsLoadOptions & { readonly perSecond: number },
): Promise<PacedLoad> {
  const text = await dnsperf(options, ['-Q', String(options.perSecond), '-q', '10000', '-v'])
  const taken: number[] = []
  // `> NOERROR host000001.bench.test A 0.000123`
  for (const [, seconds] of text.matchAll(/^> .* ([\d.]+)$/gm)) taken.push(Number(seconds) * 1_000)
  return {
    ...figuresOf(text, options),
    p50Ms: percentile(taken, 0.5),
    p99Ms: percentile(taken, 0.99),
  }
}
