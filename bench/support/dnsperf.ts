/** Load by dnsperf, on the cores that the servers do not use. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { findProgram, LOAD_CORES } from './pinned-process.ts'
import { percentile } from './rounds.ts'

const run = promisify(execFile)
/** A query without an answer after this time counts as lost. */
const LOST_AFTER_SECONDS = 1
/** A paced run prints one line per answer. */
const OUTPUT_LIMIT_BYTES = 512 * 1_024 * 1_024

export interface DnsLoad {
  readonly answered: number
  readonly lost: number
  readonly perSecond: number
}

export interface DnsLoadOptions {
  readonly port: number
  /** The queries, as written by `writeQuestions`. */
  readonly questions: string
  readonly seconds: number
  /** Whether the server echoes queries. */
  readonly isEcho?: boolean
  /** The share of queries for names that do not exist; by default that of the mix. */
  readonly nxdomainShare?: number
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

/** The share of NXDOMAIN in the mix, and the allowed random deviation in a run. */
const [NXDOMAIN_SHARE, TOLERANCE] = [0.1, 0.01]

/** @throws Error when the shares of the answers do not match the queries: wrong answers must not count as fast */
function requireMix(text: string, answered: number, nxdomainShare: number): void {
  const count = (rcode: string) => Number(new RegExp(`${rcode} (\\d+)`).exec(text)?.[1] ?? 0)
  const [noerror, nxdomain] = [count('NOERROR'), count('NXDOMAIN')]
  const share = nxdomain / answered
  if (noerror + nxdomain === answered && Math.abs(share - nxdomainShare) < TOLERANCE) return
  throw new Error(`the responses are wrong: ${/Response codes:.*/.exec(text)?.[0] ?? text}`)
}

function figuresOf(text: string, options: DnsLoadOptions): DnsLoad {
  const { isEcho = false, nxdomainShare = NXDOMAIN_SHARE } = options
  const number = (label: string) => Number(new RegExp(`${label}: +([\\d.]+)`).exec(text)?.[1])
  const answered = number('Queries completed')
  if (!isEcho) requireMix(text, answered, nxdomainShare)
  return { answered, lost: number('Queries lost'), perSecond: number('Queries per second') }
}

/** Sends queries as fast as answers arrive, with at most `outstanding` open queries; or `perSecond` of them. */
export async function ask(
  options: DnsLoadOptions & { readonly outstanding: number; readonly perSecond?: number },
): Promise<DnsLoad> {
  const { outstanding, perSecond } = options
  const rate = perSecond === undefined ? [] : ['-Q', String(perSecond)]
  const text = await dnsperf(options, ['-q', String(outstanding), ...rate])
  return figuresOf(text, options)
}

export interface PacedLoad extends DnsLoad {
  readonly p50Ms: number
  readonly p99Ms: number
}

/** Sends `perSecond` queries per second, also without answers, and returns the latency of each answer. */
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
