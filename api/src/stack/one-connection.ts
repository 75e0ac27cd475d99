/** One connection to PostgreSQL for the supervisor, which must survive its loss. */
import { Client, type ClientConfig } from 'pg'

/**
 * Connects, lets `work` use the connection, and closes it.
 *
 * @throws the error of connecting, of `work`, or of a lost connection
 */
export async function onOneConnection<Result>(
  config: ClientConfig,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client(config)
  // A lost connection is reported by the query that it ends, and also as an event. An unhandled
  // event would end this process, and with it everything that it supervises.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}
