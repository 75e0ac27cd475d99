import { Socket } from 'node:net'
import { Client } from 'pg'

// When a server does not answer within these limits, the connection is dropped and opened again.
const CONNECT_LIMIT_MS = 3_000
const QUERY_LIMIT_MS = 3_000
const KEEP_ALIVE_MS = 5_000

// PostgreSQL's own limits, for the case that this process hangs.
const SESSION = [
  '-c lock_timeout=2000',
  '-c idle_in_transaction_session_timeout=5000',
  '-c tcp_user_timeout=5000',
  '-c timezone=UTC',
  // There are only a few statements. Planning them each time would take longer than running them.
  '-c plan_cache_mode=force_generic_plan',
].join(' ')

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
 * @param statementLimitMs the limit of each statement, on the server
 * @param queryLimitMs the limit for receiving a result; 0: the caller enforces a limit
 * @throws the system's or PostgreSQL's error
 */
export async function connectToFeed(
  url: string,
  { statementLimitMs = QUERY_LIMIT_MS, queryLimitMs = QUERY_LIMIT_MS } = {},
): Promise<FeedConnection> {
  // A separate socket object, because `client.end()` waits for a server that may never answer.
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
