/** Ports for programs that get their port when they start. */
import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Linux uses ports from 32768 on for outgoing connections. */
const [LOWEST_PORT, HIGHEST_PORT] = [10_000, 32_000]

/**
 * Each test worker has ports of its own: between the check of a port and the start of the program that listens on it,
 * another worker could choose the same one. Vitest numbers its workers from 1; its main process is 0 here.
 */
const WORKERS = 8
const PORTS_PER_WORKER = Math.floor((HIGHEST_PORT - LOWEST_PORT) / WORKERS)
const FIRST_PORT =
  LOWEST_PORT + (Number(process.env['VITEST_POOL_ID'] ?? 0) % WORKERS) * PORTS_PER_WORKER

/** Counts on from a random port, so that a process repeats none of its last ports. */
let next = randomInt(PORTS_PER_WORKER)

/**
 * Ports that are free for TCP and UDP, below the range that the system uses for outgoing connections: an outgoing
 * connection could take a port of that range before the program listens on it.
 */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = []
  while (ports.length < count) {
    next = (next + 1) % PORTS_PER_WORKER
    const port = FIRST_PORT + next
    if (await isFree(port)) ports.push(port)
  }
  return ports
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  const socket = createSocket('udp4')
  try {
    await once(server, 'listening')
    socket.bind(port, '127.0.0.1')
    await once(socket, 'listening')
    return true
  } catch {
    return false
  } finally {
    server.close()
    socket.close()
  }
}
