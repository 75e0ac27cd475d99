import { ask, type DnsServer } from '@homing/dnsd/client'

/**
 * Whether the daemon answers for a zone: queries its SOA record once, over one transport.
 *
 * @throws NoAnswer when it does not answer, the reason of `signal` when that is aborted first
 */
export async function answersFor(
  server: DnsServer,
  zone: string,
  transport: 'udp' | 'tcp',
  signal: AbortSignal,
): Promise<boolean> {
  const question = { name: zone, type: 'SOA' }
  const answer = await ask(question, [server], { transport, tries: 1, signal })
  const hasSoa = answer.answers.some(({ type }) => type === 'SOA')
  return answer.transport === transport && answer.authoritative && hasSoa
}
