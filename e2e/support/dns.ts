/** Sends one query over UDP or TCP to the daemon on loopback, as a resolver does. */
import { ask as askServers, type AskOptions, type DnsAnswer } from '@homing/dnsd/client'

/** An answer without its server and transport. */
type Said = Pick<DnsAnswer, 'rcode' | 'authoritative' | 'answers' | 'authorities'>

async function askAt(
  port: number,
  name: string,
  type: string,
  transport: NonNullable<AskOptions['transport']>,
): Promise<Said> {
  const servers = [{ address: '127.0.0.1', port }]
  const answer = await askServers({ name, type }, servers, { tries: 1, transport })
  const { rcode, authoritative, answers, authorities } = answer
  return { rcode, authoritative, answers, authorities }
}

/** Sends a query over UDP. Fails at once if nothing listens, and after 2 s without an answer. */
export async function ask(port: number, name: string, type: string): Promise<Said> {
  return askAt(port, name, type, 'udp')
}

/** Sends a query over TCP. */
export async function askOverTcp(port: number, name: string, type: string): Promise<Said> {
  return askAt(port, name, type, 'tcp')
}

/** The addresses of a name, as text. */
export async function addressesOf(
  port: number,
  name: string,
  type: 'A' | 'AAAA',
): Promise<string[]> {
  const { answers } = await ask(port, name, type)
  return answers.flatMap((answer) => (answer.type === type ? [answer.data] : []))
}
