/** One GET after another over one connection, with little work in the client, so that the service dominates the time. */
import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'

/** A client with a persistent connection. Routers do not have one, but a benchmark needs it. */
export function keepAliveClient(base: string, headers: Readonly<Record<string, string>>) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return {
    /** The body of the response. */
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
