/** One connection to PostgreSQL for the supervisor, which has to outlive it. */
import { Client, type ClientConfig } from 'pg'

/**
 * Connects, lets `work` use the connection, and closes it.
 *
 * @throws what connecting or `work` throws; a connection that is lost in between is among it
 */
export async function onOneConnection<Result>(
  config: ClientConfig,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client(config)
  // A lost connection is told by the query that it ends, and also as an event: one that nobody
  // listens to would end this process, and with it everything that it keeps running.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}
