/** Ports for programs that get their port when they start. */
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Linux uses ports from 32768 on for outgoing connections. */
const [LOWEST_PORT, HIGHEST_PORT] = [10_000, 32_000]

/**
 * Free ports, below the range that the system uses for outgoing connections: an outgoing connection
 * could take a port of that range before the program listens on it.
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
