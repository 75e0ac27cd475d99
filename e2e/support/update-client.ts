/** An update client with persistent connections. It does little work, because many run in one process. */
import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'

/** Longer than any response may take, also during an outage. */
const ANSWER_LIMIT_MS = 30_000

export interface Answer {
  readonly status: number
  readonly body: string
  readonly retryAfter: string | undefined
}

export interface UpdateClient {
  /**
   * Sends one update.
   *
   * @throws the system's error when the connection ends, AbortError after 30 s without a response
   */
  update(hostname: string, myip: string): Promise<Answer>
  close(): void
}

/** A client with the credentials of one account. */
export function updateClient(
  url: string,
  { username, password }: { readonly username: string; readonly password: string },
): UpdateClient {
  const agent = new Agent({ keepAlive: true })
  const headers = {
    authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
    'user-agent': 'storm/1',
  }
  return {
    async update(hostname, myip) {
      const signal = AbortSignal.timeout(ANSWER_LIMIT_MS)
      const request = get(`${url}/nic/update?hostname=${hostname}&myip=${myip}`, {
        agent,
        headers,
        signal,
      })
      const [response] = (await once(request, 'response')) as [IncomingMessage]
      let body = ''
      for await (const chunk of response.setEncoding('utf8')) body += String(chunk)
      return {
        status: response.statusCode ?? 0,
        body,
        retryAfter: response.headers['retry-after'],
      }
    },
    close: () => agent.destroy(),
  }
}
