import { Socket } from 'node:net'
import { Client } from 'pg'
import { SERVICE_LIMITS, sessionOptions } from '../../database/connection-limits.ts'

/** When a server does not answer within these limits, the connection is dropped and opened again. */
const CONNECT_LIMIT_MS = 3_000
const QUERY_LIMIT_MS = 3_000
const KEEP_ALIVE_MS = 5_000

/** A connection that can be dropped at once, whatever the state of the server. */
export interface FeedConnection {
  readonly client: Client
  /** Resolves with the reason when the connection is lost; never resolves after `drop`. */
  readonly lost: Promise<Error>
  drop(): void
}

/**
 * Connects to PostgreSQL.
 *
 * @throws the system's or PostgreSQL's error
 */
export async function connectToFeed(url: string): Promise<FeedConnection> {
  // A separate socket object, because `client.end()` waits for a server that may never answer.
  const socket = new Socket()
  const client = new Client({
    connectionString: url,
    application_name: 'homing-forwarder',
    options: sessionOptions(SERVICE_LIMITS),
    query_timeout: QUERY_LIMIT_MS,
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    stream: () => socket,
  })
  const lost = new Promise<Error>((resolve) => {
    client.on('error', resolve)
    client.on('end', () => resolve(new Error('PostgreSQL closed the connection')))
  })
  const drop = (): void => {
    client.removeAllListeners()
    client.on('error', () => undefined)
    socket.destroy()
  }
  try {
    await client.connect()
  } catch (error) {
    drop()
    throw error
  }
  return { client, lost, drop }
}
