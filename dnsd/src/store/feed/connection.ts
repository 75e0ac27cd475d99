import { Socket } from 'node:net'
import { Client } from 'pg'

// A server that does not answer is as good as none: it is left, and tried again from the beginning.
const CONNECT_LIMIT_MS = 3_000
const QUERY_LIMIT_MS = 3_000
const KEEP_ALIVE_MS = 5_000

// PostgreSQL's own limits, should this process be the one that stops answering.
const SESSION = [
  '-c lock_timeout=2000',
  '-c idle_in_transaction_session_timeout=5000',
  '-c tcp_user_timeout=5000',
  '-c timezone=UTC',
  // The same few statements all day: planning them each time would take longer than running them.
  '-c plan_cache_mode=force_generic_plan',
].join(' ')

/** A connection that can be dropped at once, in whatever state the other side is. */
export interface FeedConnection {
  readonly client: Client
  /** Resolves with the reason when the connection is lost; never when it was dropped by this side. */
  readonly lost: Promise<Error>
  drop(): void
}

/**
 * Connects to PostgreSQL.
 *
 * @param statementLimitMs for each statement, on the server
 * @param queryLimitMs how long an answer may take to come; 0: the caller watches over it
 * @throws the system's or PostgreSQL's error
 */
export async function connectToFeed(
  url: string,
  { statementLimitMs = QUERY_LIMIT_MS, queryLimitMs = QUERY_LIMIT_MS } = {},
): Promise<FeedConnection> {
  // Our own socket, because `client.end()` waits for a server that may never answer.
  const socket = new Socket()
  const client = new Client({
    connectionString: url,
    application_name: 'homing-dnsd',
    options: SESSION,
    statement_timeout: statementLimitMs,
    query_timeout: queryLimitMs,
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
