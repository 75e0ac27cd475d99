/** The options of `node bench/dns.ts`. */
import { parseArgs } from 'node:util'
import type { Contender } from '../support/dns-contender.ts'
import { dnsd } from '../support/dns-dnsd.ts'
import { batchEcho, dgramEcho } from '../support/dns-echo.ts'
import { bind, knot, nsd } from '../support/dns-file-servers.ts'
import { powerDns, powerDnsWithoutCaches } from '../support/dns-powerdns.ts'

export const SECTIONS = ['answers', 'million', 'updates', 'pauses', 'outage', 'counting'] as const
export type Section = (typeof SECTIONS)[number]

const CONTENDERS: readonly Contender[] = [
  dnsd('dnsd', { DNS_UDP_TRANSPORT: 'dgram' }),
  dnsd('dnsd-batch', { DNS_UDP_TRANSPORT: 'batch' }),
  dgramEcho,
  batchEcho,
  nsd,
  knot,
  bind,
  powerDns,
  powerDnsWithoutCaches,
]
/** The servers of the short form: those that the target figures compare with, and those that start quickly. */
const SHORT = ['dnsd', 'dnsd-batch', 'echo', 'nsd', 'knot', 'bind']

export interface BenchOptions {
  readonly sections: readonly Section[]
  /** Hosts in the zone; undefined: the default of the section. */
  readonly names: number | undefined
  readonly contenders: readonly Contender[]
  readonly rounds: number
  /** The duration of each load. */
  readonly seconds: number
}

const USAGE = `usage: node bench/dns.ts [--section ${SECTIONS.join('|')}|all] [--names N] [--servers ${CONTENDERS.map(({ name }) => name).join(',')}] [--rounds N] [--seconds N] [--short]`

class UsageError extends Error {}

function count(text: string, option: string): number {
  if (!/^[1-9]\d{0,7}$/.test(text)) throw new UsageError(`--${option} takes a number: ${text}`)
  return Number(text)
}

function sectionsOf(text: string): readonly Section[] {
  if (text === 'all') return SECTIONS
  return text.split(',').map((word) => {
    const section = SECTIONS.find((each) => each === word)
    if (section === undefined) throw new UsageError(`unknown section: ${word}`)
    return section
  })
}

function contendersOf(names: readonly string[]): readonly Contender[] {
  const unknown = names.find((name) => !CONTENDERS.some((contender) => contender.name === name))
  if (unknown !== undefined) throw new UsageError(`unknown server: ${unknown}`)
  return CONTENDERS.filter(({ name }) => names.includes(name))
}

function parsed(args: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      section: { type: 'string', default: 'answers' },
      names: { type: 'string' },
      servers: { type: 'string' },
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string' },
      short: { type: 'boolean', default: false },
    },
  })
  const every = values.short ? SHORT : CONTENDERS.map(({ name }) => name)
  return {
    sections: sectionsOf(values.section),
    names: values.names === undefined ? undefined : count(values.names, 'names'),
    contenders: contendersOf(values.servers?.split(',') ?? every),
    rounds: count(values.rounds, 'rounds'),
    seconds: count(values.seconds ?? (values.short ? '2' : '4'), 'seconds'),
  }
}

/** Parses the options. Exits with the usage text if they are invalid. */
export function optionsOrExit(args: readonly string[]): BenchOptions {
  try {
    return parsed(args)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${USAGE}\n`)
    return process.exit(64)
  }
}
