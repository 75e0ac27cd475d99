/** One request after another over one connection, with little work in the client, so that the service dominates the time. */
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'

interface Sent {
  readonly method?: string
  readonly path: string
  /** In addition to those of the client. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** A client with a persistent connection. Routers do not have one, but a benchmark needs it. */
export function keepAliveClient(base: string, headers: Readonly<Record<string, string>>) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const client = {
    async send({ method = 'GET', path, headers: more, body: sent }: Sent) {
      const call = request(base + path, { agent, method, headers: { ...headers, ...more } })
      call.end(sent)
      const [answer] = (await once(call, 'response')) as [IncomingMessage]
      let body = ''
      for await (const chunk of answer.setEncoding('utf8')) body += String(chunk)
      return { status: answer.statusCode ?? 0, body }
    },
    /** The body of the response. */
    get: async (path: string): Promise<string> => (await client.send({ path })).body,
    close: () => agent.destroy(),
  }
  return client
}
