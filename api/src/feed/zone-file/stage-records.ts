/*
 * First step of an import: the file's records into a temporary table.
 *
 * The file is read once, chunk by chunk, and goes to PostgreSQL by COPY while it is
 * read, so a zone of any size takes little memory here. What one record alone shows to
 * be wrong is found now; what only shows among records is asked of the table afterwards.
 */
import {
  canonicalName,
  isProblem,
  isSubdomain,
  MasterFileParser,
  type MasterFileItem,
  nameFromText,
  nameKey,
  nameToText,
  rdataToText,
  TYPE,
  typeToText,
} from '@homing/dnsd/names'
import type { Knex } from 'knex'
import type { Client } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { query } from '../../database/sql.ts'
import type { ProblemList } from './problems.ts'
import { type Soa, soaFromWire } from './soa.ts'

/** For records of a file that states no TTL anywhere. */
const DEFAULT_TTL_SECONDS = 3600
const COPY_CHUNK_CHARACTERS = 64 * 1024

/** Made by whoever signs a zone; as plain records they would be wrong after the first change. */
const SIGNERS_TYPES = new Set<number>([TYPE.RRSIG, TYPE.NSEC, TYPE.NSEC3, TYPE.NSEC3PARAM])

export interface StagedFile {
  /** Undefined when the file has none: the zone keeps its own. */
  readonly soa: Soa | undefined
  /** Records staged, the SOA record not counted. */
  readonly records: number
}

const escaped = (text: string) => (text.includes('\\') ? text.replaceAll('\\', '\\\\') : text)

/** Turns items of the parser into lines for COPY, and keeps the SOA record and the problems. */
class RecordStager {
  readonly #apex: Buffer
  readonly #problems: ProblemList
  soa: Soa | undefined
  #soaKey = ''
  records = 0

  constructor(apex: Buffer, problems: ProblemList) {
    this.#apex = apex
    this.#problems = problems
  }

  /** A line of COPY's text format; undefined for what is not a record of `staged`. */
  lineOf(item: MasterFileItem): string | undefined {
    if (isProblem(item)) {
      this.#problems.add(item)
      return undefined
    }
    const owner = canonicalName(item.owner)
    const fault = this.#faultOf(owner, item.type)
    if (fault !== undefined) {
      this.#problems.add({ line: item.line, message: fault })
      return undefined
    }
    if (item.type === TYPE.SOA) {
      this.#takeSoa(item.line, soaFromWire(item.rdata, item.ttlSeconds))
      return undefined
    }
    this.records += 1
    const rdata = escaped(rdataToText(item.type, item.rdata))
    return `${item.line}\t${escaped(nameToText(owner))}\t${typeToText(item.type)}\t${item.ttlSeconds}\t${rdata}\n`
  }

  #faultOf(owner: Buffer, type: number): string | undefined {
    const isApex = nameKey(owner) === nameKey(this.#apex)
    if (!isApex && !isSubdomain(owner, this.#apex)) {
      return `${nameToText(owner)} lies outside the zone ${nameToText(this.#apex)}.`
    }
    if (type === TYPE.SOA && !isApex) return 'The SOA record belongs to the top of the zone.'
    if (type === TYPE.CNAME && isApex) {
      return 'The top of the zone has SOA and NS records, so it cannot be a CNAME (RFC 1034 §3.6.2).'
    }
    if (SIGNERS_TYPES.has(type)) {
      return `${typeToText(type)} records are made by signing and are not imported.`
    }
    return undefined
  }

  /** Zone transfers end with the SOA record they began with: the same one again is no error. */
  #takeSoa(line: number, soa: Soa): void {
    const key = JSON.stringify(soa)
    if (this.soa !== undefined && key !== this.#soaKey) {
      this.#problems.add({ line, message: 'A second SOA record that differs from the first one.' })
      return
    }
    this.soa = soa
    this.#soaKey = key
  }
}

async function* copyText(
  source: AsyncIterable<Uint8Array>,
  parser: MasterFileParser,
  stager: RecordStager,
): AsyncGenerator<string> {
  let text = ''
  for await (const chunk of source) {
    for (const item of parser.push(chunk)) text += stager.lineOf(item) ?? ''
    if (text.length < COPY_CHUNK_CHARACTERS) continue
    yield text
    text = ''
  }
  for (const item of parser.end()) text += stager.lineOf(item) ?? ''
  if (text !== '') yield text
}

/**
 * Reads a master file into the temporary table `staged` of this pool's one connection.
 * What is wrong with single records is added to `problems`.
 */
export async function stageRecords(
  knex: Knex,
  zone: string,
  source: AsyncIterable<Uint8Array>,
  problems: ProblemList,
): Promise<StagedFile> {
  const apex = nameFromText(`${zone}.`)
  const parser = new MasterFileParser({ origin: apex, defaultTtlSeconds: DEFAULT_TTL_SECONDS })
  const stager = new RecordStager(apex, problems)
  await query(
    knex,
    `create temp table staged (
       line int not null, owner text not null, type text not null, ttl int not null, rdata text not null
     )`,
  )
  const client = (await knex.client.acquireConnection()) as Client
  try {
    await pipeline(
      Readable.from(copyText(source, parser, stager)),
      client.query(copyFrom('copy staged from stdin')),
    )
  } finally {
    await knex.client.releaseConnection(client)
  }
  await query(knex, 'analyze staged')
  return { soa: stager.soa, records: stager.records }
}
