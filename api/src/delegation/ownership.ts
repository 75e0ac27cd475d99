/** What a proof of ownership depends on: where the domain is delegated now, and the TXT record there. */
import type { DnsAnswer } from '@homing/dnsd/client'
import { type Asker, isReply } from './asker.ts'
import { nameInRecord } from './names.ts'
import type { ParentAnswer } from './parent-servers.ts'
import { type DelegationFindings, OWNERSHIP_LABEL } from './types.ts'
import { boundedAddresses, type HostAddresses, type Walk } from './walk.ts'

/** Our name servers, however they are called in a delegation. */
export interface OurPlaces {
  readonly names: ReadonlySet<string>
  /** In canonical spelling. */
  readonly addresses: ReadonlySet<string>
}

export type OwnershipFindings = Pick<DelegationFindings, 'isDelegatedToUs' | 'parentNs' | 'txt'>

const SERVERS_LIMIT = 13
const TEXTS_LIMIT = 50
const TEXT_LIMIT_CHARACTERS = 1_024
const TRIES = 2

const answering = ({ outcome }: ParentAnswer) =>
  outcome === 'delegates' || outcome === 'does-not-delegate'

interface NamedServer extends HostAddresses {
  readonly hostname: string
}

/** @param parents what the servers of the parent zone said; empty when the walk did not reach them */
export async function findOwnership(
  walk: Walk,
  asker: Asker,
  {
    domain,
    parents,
    ours,
  }: {
    readonly domain: string
    readonly parents: readonly ParentAnswer[]
    readonly ours: OurPlaces
  },
): Promise<OwnershipFindings> {
  const heard = parents.filter(answering)
  const named = [...new Set(heard.flatMap(({ nameservers }) => nameservers))]
  const parentNs = named.filter((name) =>
    heard.every(({ nameservers }) => nameservers.includes(name)),
  )
  const servers = await Promise.all(
    named.slice(0, SERVERS_LIMIT).map((hostname) => located(walk, hostname, heard)),
  )
  const foreign = servers.filter(({ hostname }) => parentNs.includes(hostname))
  return {
    parentNs,
    isDelegatedToUs: delegatedToUs({ heard, named, servers, ours }),
    txt: await textsAt(asker, domain, foreign, ours),
  }
}

/** The server's addresses: its glue from any parent server, or resolved by the walk. */
async function located(
  walk: Walk,
  hostname: string,
  heard: readonly ParentAnswer[],
): Promise<NamedServer> {
  const glued = new Set(heard.flatMap(({ glue }) => glue.get(hostname) ?? []))
  if (glued.size > 0) return { hostname, addresses: [...glued], isKnown: true }
  return { hostname, ...(await walk.addressesOf(hostname)) }
}

function delegatedToUs({
  heard,
  named,
  servers,
  ours,
}: {
  readonly heard: readonly ParentAnswer[]
  readonly named: readonly string[]
  readonly servers: readonly NamedServer[]
  readonly ours: OurPlaces
}): boolean | undefined {
  const isOurs = servers.some(({ addresses }) => addresses.some((each) => ours.addresses.has(each)))
  if (isOurs || named.some((name) => ours.names.has(name))) return true
  if (heard.length === 0 || named.length > servers.length) return undefined
  return servers.every(({ isKnown }) => isKnown) ? false : undefined
}

/** The texts on which all servers agree that are not ours and answer for the domain. */
async function textsAt(
  asker: Asker,
  domain: string,
  servers: readonly NamedServer[],
  ours: OurPlaces,
): Promise<readonly string[] | undefined> {
  const addresses = servers
    .filter(({ hostname }) => !ours.names.has(hostname))
    .flatMap((server) => boundedAddresses(server.addresses))
    .filter((address) => !ours.addresses.has(address))
  const name = `${OWNERSHIP_LABEL}.${domain}`
  const replies = await Promise.all(
    [...new Set(addresses)].map((address) =>
      asker.query({ name, type: 'TXT' }, address, { tries: TRIES }),
    ),
  )
  const answers = replies.filter(isReply).filter(isAuthoritative)
  const [first, ...others] = answers.map((answer) => textsIn(answer, name))
  return first?.filter((text) => others.every((each) => each.includes(text)))
}

const isAuthoritative = ({ authoritative, rcode }: DnsAnswer) =>
  authoritative && (rcode === 'NOERROR' || rcode === 'NXDOMAIN')

/** The strings of each record joined. Records of another owner, which a CNAME record leads to, do not count. */
function textsIn({ answers }: DnsAnswer, name: string): string[] {
  const texts = answers.flatMap((record) =>
    record.type === 'TXT' && nameInRecord(record.name) === name
      ? [Buffer.concat(record.data).toString('utf8')]
      : [],
  )
  return texts.slice(0, TEXTS_LIMIT).map((text) => text.slice(0, TEXT_LIMIT_CHARACTERS))
}
