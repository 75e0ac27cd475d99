/** DNS answers as readable text. Only `homing resolve` loads this module, and with it the DNS client. */
import {
  ask,
  type DnsAnswer,
  DnsClientError,
  type DnsRecord,
  type DnsServer,
  InvalidQuestion,
  type OpaqueRecord,
  serverFromText,
} from '@homing/dnsd/client'
import { rdataFromText, rdataToText, typeFromText } from '@homing/dnsd/names'
import { getServers } from 'node:dns'
import { domainToASCII } from 'node:url'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { CommandFailure, usage } from './failure.ts'
import { printable } from './text.ts'

export const RECORD_TYPES = [
  'A',
  'AAAA',
  'CAA',
  'CNAME',
  'HTTPS',
  'MX',
  'NS',
  'PTR',
  'SOA',
  'SRV',
  'SSHFP',
  'SVCB',
  'TLSA',
  'TXT',
] as const
export type RecordTypeName = (typeof RECORD_TYPES)[number]

/** A type in upper or lower case. @throws CommandFailure for a type that is not shown */
export function recordTypeOf(typed: string): RecordTypeName {
  const type = RECORD_TYPES.find((known) => known === typed.toUpperCase())
  if (type !== undefined) return type
  throw usage(`--type takes one of ${RECORD_TYPES.join(', ')}, not "${printable(typed)}".`)
}

/** The response code of an answer → exit code and message. */
const REFUSALS: Readonly<Record<string, readonly [ExitCode, string]>> = {
  NXDOMAIN: [EXIT.notFound, 'does not exist (NXDOMAIN)'],
  REFUSED: [EXIT.refused, 'is not in a zone of the name server (REFUSED)'],
}

/**
 * The records of a name, each as one line, sorted.
 *
 * @param nameserver `address:port` (an IPv6 address in brackets); the system's resolvers when absent
 * @throws CommandFailure when there are no records
 */
export async function lookUp(
  name: string,
  type: RecordTypeName,
  nameserver?: string,
): Promise<string[]> {
  const answer = await answerFor(name, type, nameserver)
  if (answer.rcode !== 'NOERROR') throw refusal(name, answer)
  // The owner of the record controls this text, not the user.
  const lines = answer.answers
    .filter((record): record is ShownRecord => record.type === type)
    .map((record) => printable(lineOf(record)))
  if (lines.length > 0) return lines.sort()
  const reason = `exists, but has no record of type ${type}`
  throw new CommandFailure(EXIT.notFound, printable(`${name} ${reason}.`))
}

const ROOT = Uint8Array.of(0)
/** Types whose data has texts in which the letter case matters. */
const HAS_TEXT: ReadonlySet<RecordTypeName> = new Set(['CAA', 'HTTPS', 'SVCB', 'TXT'])

/** One form for texts of the same record: letter case of names and final dots make no difference, nor do the quotes of a TXT record. */
function recordForm(type: RecordTypeName, text: string): string {
  const isOneString = type === 'TXT' && !text.startsWith('"')
  const written = isOneString ? JSON.stringify(text) : text
  try {
    const rdata = rdataFromText(
      typeFromText(type),
      HAS_TEXT.has(type) ? written : written.toLowerCase(),
      ROOT,
    )
    return rdata.toString('hex')
  } catch {
    // Not a record of this type, so only the same text is equal.
    return text
  }
}

/** Whether a record is among those of an answer, in any of its forms. */
export function hasRecord(
  records: readonly string[],
  type: RecordTypeName,
  expected: string,
): boolean {
  const wanted = recordForm(type, expected.trim())
  return records.some((record) => recordForm(type, record) === wanted)
}

function refusal(name: string, { rcode, extendedErrors }: DnsAnswer): CommandFailure {
  const why = extendedErrors.map(({ code, text }) => `, extended error ${code} ${text}`.trimEnd())
  const [exitCode, reason] = REFUSALS[rcode] ?? [
    EXIT.failed,
    `could not be looked up (${rcode}${why.join('')})`,
  ]
  return new CommandFailure(exitCode, printable(`${name} ${reason}.`))
}

async function answerFor(
  name: string,
  type: RecordTypeName,
  nameserver: string | undefined,
): Promise<DnsAnswer> {
  try {
    return await ask({ name: asciiName(name), type }, serversFor(nameserver))
  } catch (error) {
    if (!(error instanceof DnsClientError)) throw error
    const isQuestion = error instanceof InvalidQuestion
    throw new CommandFailure(isQuestion ? EXIT.usage : EXIT.network, printable(error.message))
  }
}

/** @throws CommandFailure, InvalidQuestion */
function serversFor(nameserver: string | undefined): DnsServer[] {
  if (nameserver === undefined) return getServers().map(serverFromText)
  try {
    return [serverFromText(nameserver)]
  } catch {
    throw usage(
      `--nameserver takes an address and a port such as 127.0.0.1:8053, not "${nameserver}".`,
    )
  }
}

/** An internationalized name with A-labels (RFC 5891); other names unchanged. */
function asciiName(name: string): string {
  return /\P{ASCII}/u.test(name) ? domainToASCII(name) || name : name
}

/** A record of a type that `--type` accepts. */
type ShownRecord =
  | Extract<DnsRecord, { readonly type: RecordTypeName }>
  | (OpaqueRecord & { readonly type: 'HTTPS' })
  | (OpaqueRecord & { readonly type: 'SVCB' })

/** The data of a record as in a zone file, without final dots. */
function lineOf(record: ShownRecord): string {
  if (record.type === 'MX') return `${record.data.preference} ${record.data.exchange}`
  if (record.type === 'TXT') {
    return record.data.map((string) => JSON.stringify(string.toString())).join(' ')
  }
  if (record.type === 'SRV') {
    const { priority, weight, port, target } = record.data
    return `${priority} ${weight} ${port} ${target}`
  }
  if (record.type === 'HTTPS' || record.type === 'SVCB') {
    return rdataToText(typeFromText(record.type), record.data)
  }
  if (isSecurity(record)) return securityLine(record)
  if (record.type !== 'SOA') return record.data
  const { mname, rname, serial, refresh, retry, expire, minimum } = record.data
  return [mname, rname, serial, refresh, retry, expire, minimum].join(' ')
}

/** A record about certificates or keys. */
type SecurityRecord = Extract<ShownRecord, { readonly type: 'CAA' | 'SSHFP' | 'TLSA' }>

const isSecurity = (record: ShownRecord): record is SecurityRecord =>
  record.type === 'CAA' || record.type === 'SSHFP' || record.type === 'TLSA'

function securityLine(record: SecurityRecord): string {
  if (record.type === 'CAA') {
    const { flags, tag, value } = record.data
    return `${flags} ${tag} ${JSON.stringify(value)}`
  }
  if (record.type === 'SSHFP') {
    const { algorithm, hash, fingerprint } = record.data
    return `${algorithm} ${hash} ${fingerprint.toLowerCase()}`
  }
  const { usage, selector, matchingType, certificate } = record.data
  return `${usage} ${selector} ${matchingType} ${certificate.toString('hex')}`
}
