/** Asks our own name servers whether they serve the domain, as resolvers do. */
import { setTimeout as delay } from 'node:timers/promises'
import { type Asker, isReply, type Reply } from './asker.ts'
import { isSoaOf } from './parent-servers.ts'
import type { ExpectedServer } from './types.ts'
import type { ServerAddress } from './walk.ts'

export interface OurAnswer extends ServerAddress {
  readonly transport: 'udp' | 'tcp'
  /** `no-route`: this machine cannot reach the address, which is not a fault of the server. */
  readonly outcome: 'authoritative' | 'not-authoritative' | 'no-answer' | 'no-route'
  /** The end of a sentence that begins with the server. */
  readonly words: string
}

const TRANSPORTS = ['udp', 'tcp'] as const
const PATIENT_TRIES = 2
/** A zone that was claimed just now reaches our servers a moment later, and a check follows each claim at once. */
const REPEATS = 3
const REPEAT_AFTER_MS = 400

/** Asks each address over UDP and over TCP. */
export async function askOurServers(
  asker: Asker,
  domain: string,
  servers: readonly ExpectedServer[],
): Promise<OurAnswer[]> {
  const addresses = servers.flatMap(({ hostname, ipv4, ipv6 }) =>
    [ipv4, ...(ipv6 ? [ipv6] : [])].map((address) => ({ hostname, address })),
  )
  const asked = addresses.flatMap((server) =>
    TRANSPORTS.map((transport) => askOurs(asker, domain, { ...server, transport })),
  )
  return Promise.all(asked)
}

async function askOurs(
  asker: Asker,
  domain: string,
  server: Pick<OurAnswer, 'hostname' | 'address' | 'transport'>,
): Promise<OurAnswer> {
  const { address, transport } = server
  const options = { transport, tries: PATIENT_TRIES }
  const ask = async () => asker.query({ name: domain, type: 'SOA' }, address, options)
  let verdict = judged(await ask(), domain)
  for (let n = 0; n < REPEATS && verdict.outcome === 'not-authoritative'; n += 1) {
    if (!(await hasTimeFor(REPEAT_AFTER_MS, asker.signal))) break
    const reply = await ask()
    if (!isReply(reply) && reply.failed === 'ended') break
    verdict = judged(reply, domain)
  }
  return { ...server, ...verdict }
}

/** Waits. @returns false when the check ended meanwhile */
const hasTimeFor = (ms: number, signal: AbortSignal): Promise<boolean> =>
  delay(ms, true, { signal }).catch(() => false)

/** An IPv6 address that does not answer counts as unreachable from here when no server answered over IPv6. */
export const withoutIpv6 = (answer: OurAnswer): OurAnswer =>
  answer.address.includes(':') && answer.outcome === 'no-answer'
    ? { ...answer, outcome: 'no-route' }
    : answer

function judged(reply: Reply, domain: string): Pick<OurAnswer, 'outcome' | 'words'> {
  if (!isReply(reply)) {
    const { failed, words } = reply
    return { outcome: failed === 'no-route' ? 'no-route' : 'no-answer', words }
  }
  if (reply.rcode !== 'NOERROR') {
    return { outcome: 'not-authoritative', words: `answered ${reply.rcode}` }
  }
  if (!reply.authoritative || !reply.answers.some(isSoaOf(domain))) {
    return { outcome: 'not-authoritative', words: 'answered without authority' }
  }
  return { outcome: 'authoritative', words: 'answers with authority' }
}
