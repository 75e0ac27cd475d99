/** DNS answers as a person reads them, through Node's resolver. */
import { Resolver } from 'node:dns/promises'
import type { MxRecord, SoaRecord, SrvRecord } from 'node:dns'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { CommandFailure } from './failure.ts'
import { printable } from './text.ts'

const ANSWER_LIMIT_MS = 2_000
const TRIES = 2

const asText = {
  A: (resolver: Resolver, name: string) => resolver.resolve4(name),
  AAAA: (resolver: Resolver, name: string) => resolver.resolve6(name),
  CNAME: (resolver: Resolver, name: string) => resolver.resolveCname(name),
  MX: async (resolver: Resolver, name: string) => (await resolver.resolveMx(name)).map(mx),
  NS: (resolver: Resolver, name: string) => resolver.resolveNs(name),
  PTR: (resolver: Resolver, name: string) => resolver.resolvePtr(name),
  SOA: async (resolver: Resolver, name: string) => [soa(await resolver.resolveSoa(name))],
  SRV: async (resolver: Resolver, name: string) => (await resolver.resolveSrv(name)).map(srv),
  TXT: async (resolver: Resolver, name: string) =>
    (await resolver.resolveTxt(name)).map((strings) =>
      strings.map((s) => JSON.stringify(s)).join(' '),
    ),
}

const mx = ({ priority, exchange }: MxRecord) => `${priority} ${exchange}`
const srv = ({ priority, weight, port, name }: SrvRecord) => `${priority} ${weight} ${port} ${name}`
const soa = (record: SoaRecord) =>
  [
    record.nsname,
    record.hostmaster,
    record.serial,
    record.refresh,
    record.retry,
    record.expire,
    record.minttl,
  ].join(' ')

export const RECORD_TYPES = Object.keys(asText) as (keyof typeof asText)[]
export type RecordTypeName = keyof typeof asText

/** The code of Node's resolver → what to say and how to end. */
const FAILURES: Readonly<Record<string, [ExitCode, string]>> = {
  ENOTFOUND: [EXIT.notFound, 'does not exist (NXDOMAIN)'],
  ENODATA: [EXIT.notFound, 'exists and has no record of type'],
  EREFUSED: [EXIT.refused, 'is in no zone that the name server answers for (REFUSED); type'],
  ETIMEOUT: [EXIT.network, 'was asked and nothing answered; type'],
  ECONNREFUSED: [EXIT.network, 'was asked and nobody listens there; type'],
  EBADNAME: [EXIT.usage, 'is not a domain name'],
  EBADSTR: [EXIT.usage, 'is not a domain name'],
}

/**
 * The records of a name, each as one line.
 *
 * @param nameserver `address:port` (an IPv6 address in brackets); the system's resolvers when absent
 * @throws CommandFailure when there are none
 */
export async function lookUp(
  name: string,
  type: RecordTypeName,
  nameserver?: string,
): Promise<string[]> {
  const resolver = new Resolver({ timeout: ANSWER_LIMIT_MS, tries: TRIES })
  try {
    if (nameserver !== undefined) resolver.setServers([nameserver])
  } catch {
    throw new CommandFailure(
      EXIT.usage,
      `--nameserver takes an address and a port such as 127.0.0.1:8053; "${nameserver}" is none.`,
    )
  }
  try {
    // The owner of a record writes it, not the one who asks.
    return (await asText[type](resolver, name)).map(printable).sort()
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    const [exitCode, reason] = FAILURES[code] ?? [
      EXIT.failed,
      `could not be looked up (${code || message}); type`,
    ]
    const isAboutType = /(?:type)$/.test(reason)
    throw new CommandFailure(
      exitCode,
      printable(`${name} ${reason}${isAboutType ? ` ${type}` : ''}.`),
    )
  }
}
