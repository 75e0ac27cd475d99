/** Asks every server of the parent zone about the domain. */
import type { DnsAnswer } from '@homing/dnsd/client'
import { type Asker, isReply, type NoReply, type Reply } from './asker.ts'
import { isAtOrBelow, listed, nameInRecord, shownName, shownZone } from './names.ts'
import { type Cut, type Glue, readCut } from './read-cut.ts'
import type { ServerAddress, Walk, ZoneServers } from './walk.ts'

/** What one server of the parent zone said, at one of its addresses. */
export interface ParentAnswer extends ServerAddress {
  readonly transport: 'udp' | 'tcp' | null
  readonly outcome: 'delegates' | 'does-not-delegate' | 'lame' | 'no-answer'
  readonly nameservers: readonly string[]
  readonly glue: Glue
  /** Undefined: the server did not answer that question. */
  readonly hasDs: boolean | undefined
  readonly message: string
}

/** No zone has more. */
const SERVERS_LIMIT = 16
/** A parent server counts as dead only after a repeated question. */
const PATIENT = { tries: 2 } as const
const NOTHING = { nameservers: [], glue: new Map(), hasDs: undefined }

interface Question {
  readonly domain: string
  readonly zone: string
}

export async function askParentServers(
  walk: Walk,
  asker: Asker,
  parent: ZoneServers,
  domain: string,
): Promise<ParentAnswer[]> {
  const servers = await walk.serversOf(parent, SERVERS_LIMIT)
  const question = { domain, zone: parent.zone }
  // A hostile zone can name one victim's address many times: each address is asked once.
  const asked = new Map<string, Promise<ParentAnswer>>()
  const askOnce = async (hostname: string, address: string): Promise<ParentAnswer> => {
    const answer = asked.get(address) ?? askParent(asker, question, { hostname, address })
    asked.set(address, answer)
    return { ...(await answer), hostname }
  }
  const answers = await Promise.all(
    servers.map(async ({ hostname, addresses }) => {
      if (addresses.length === 0) return [withoutAddress(hostname)]
      const all = addresses.map((address) => askOnce(hostname, address))
      return Promise.all(all)
    }),
  )
  return asker.hasIpv6 ? answers.flat() : answers.flatMap(overIpv4)
}

/** Without the IPv6 addresses of a server that has another address: this machine has perhaps no IPv6. */
function overIpv4(answers: readonly ParentAnswer[]): readonly ParentAnswer[] {
  const reached = answers.filter(({ address }) => !address.includes(':'))
  return reached.length > 0 ? reached : answers
}

const withoutAddress = (hostname: string): ParentAnswer => ({
  hostname,
  address: '',
  transport: null,
  outcome: 'no-answer',
  message: 'The address of the server was not found.',
  ...NOTHING,
})

async function askParent(
  asker: Asker,
  question: Question,
  server: ServerAddress,
): Promise<ParentAnswer> {
  const [reply, ds] = await Promise.all([
    asker.query({ name: question.domain, type: 'NS' }, server.address, PATIENT),
    asker.query({ name: question.domain, type: 'DS' }, server.address, PATIENT),
  ])
  if (!isReply(reply)) return silent(server, reply)
  const cut = await wholeCut(asker, question, server, reply)
  const hasDs = dsIn(ds, question.domain)
  return { ...server, ...said(cut, question), transport: reply.transport, hasDs }
}

const silent = (server: ServerAddress, { words }: NoReply): ParentAnswer => ({
  ...server,
  transport: null,
  outcome: 'no-answer',
  message: `The server ${words}.`,
  ...NOTHING,
})

/** The cut, once more over TCP when the referral lacks glue: a server may leave it out of a datagram without saying so. */
async function wholeCut(
  asker: Asker,
  { domain, zone }: Question,
  { address }: ServerAddress,
  reply: DnsAnswer,
): Promise<Cut> {
  const cut = readCut(reply, zone, domain)
  if (cut.kind !== 'delegated') return cut
  if (cut.isHeldHere) return (await isApex(asker, domain, address)) ? cut : wildcard
  const needsGlue = cut.nameservers.filter((name) => isAtOrBelow(name, domain))
  if (reply.transport === 'tcp' || needsGlue.every((name) => cut.glue.has(name))) return cut
  const again = await asker.query({ name: domain, type: 'NS' }, address, { transport: 'tcp' })
  const whole = isReply(again) ? readCut(again, zone, domain) : cut
  return whole.kind === 'delegated' ? whole : cut
}

const wildcard: Cut = {
  kind: 'not-delegated',
  words: 'answered from a wildcard, which delegates nothing',
  doesExist: false,
}

/** Whether the server has the domain as a zone. A wildcard NS record in the parent zone looks alike otherwise. */
async function isApex(asker: Asker, domain: string, address: string): Promise<boolean> {
  const reply = await asker.query({ name: domain, type: 'SOA' }, address, PATIENT)
  return isReply(reply) && reply.answers.some(isSoaOf(domain))
}

export const isSoaOf =
  (domain: string) =>
  ({ type, name }: { readonly type: string; readonly name: string }): boolean =>
    type === 'SOA' && nameInRecord(name) === domain

function said(
  cut: Cut,
  { domain, zone }: Question,
): Omit<ParentAnswer, keyof ServerAddress | 'transport' | 'hasDs'> {
  if (cut.kind === 'lame') {
    const message = `The server ${cut.words}: it does not serve ${shownZone(zone)}.`
    return { outcome: 'lame', nameservers: [], glue: new Map(), message }
  }
  if (cut.kind === 'not-delegated') {
    const message = `The server ${cut.words}.`
    return { outcome: 'does-not-delegate', nameservers: [], glue: new Map(), message }
  }
  if (cut.owner !== domain) {
    // A zone between the two, which other servers of the parent zone do not know of.
    const message = `The server delegates ${shownName(cut.owner)}, not ${shownName(domain)}.`
    return { outcome: 'does-not-delegate', nameservers: [], glue: new Map(), message }
  }
  const { nameservers, glue } = cut
  const message = `Delegates to ${listed(nameservers.map(shownName))}.`
  return { outcome: 'delegates', nameservers, glue, message }
}

function dsIn(reply: Reply, domain: string): boolean | undefined {
  if (!isReply(reply) || !reply.authoritative) return undefined
  if (reply.rcode !== 'NOERROR' && reply.rcode !== 'NXDOMAIN') return undefined
  return reply.answers.some(({ type, name }) => type === 'DS' && nameInRecord(name) === domain)
}
