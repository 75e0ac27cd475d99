/** Ports for programs that are told theirs when they are started. */
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Linux gives ports from 32768 on to outgoing connections. */
const [LOWEST_PORT, HIGHEST_PORT] = [10_000, 32_000]

/**
 * Ports that are free, and below those that the system gives to outgoing connections: one of these
 * could be gone before the program that is told of it listens.
 */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>()
  while (ports.size < count) {
    const port = randomInt(LOWEST_PORT, HIGHEST_PORT)
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    server.close()
    if (isFree) ports.add(port)
  }
  return [...ports]
}
