/** One GET after another over one connection, with as little work as can be: the time is the service's. */
import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'

/** A client that keeps its connection, as a router does not but a benchmark has to. */
export function keepAliveClient(base: string, headers: Readonly<Record<string, string>>) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return {
    /** The body of the answer. */
    async get(path: string): Promise<string> {
      const [answer] = (await once(get(base + path, { agent, headers }), 'response')) as [
        IncomingMessage,
      ]
      let body = ''
      for await (const chunk of answer.setEncoding('utf8')) body += String(chunk)
      return body
    },
    close: () => agent.destroy(),
  }
}
