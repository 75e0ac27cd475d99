/**
 * A door from this process into a network namespace: a loopback port here that leads to a loopback port there. Sockets in the
 * file system are the same in every network namespace, so the door is one of them, with a process on its far side.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import type { Namespace } from './namespaces.ts'

export interface NamespaceDoor {
  /** The loopback port of this network. */
  readonly port: number
  close(): Promise<void>
}

const FAR_SIDE = new URL('namespace-door-inside.ts', import.meta.url).pathname

/** @param folder for the socket @param port the loopback port in the namespace */
export async function openDoor(
  namespace: Namespace,
  folder: string,
  port: number,
): Promise<NamespaceDoor> {
  const path = join(folder, `door-${port}.sock`)
  const [program, words] = namespace.within(process.execPath, FAR_SIDE, path, String(port))
  const inside: ChildProcess = spawn(program, words, { stdio: ['ignore', 'pipe', 'inherit'] })
  if (inside.stdout !== null) await once(inside.stdout, 'data')
  const open = new Set<Socket>()
  const server = createServer((client) => {
    const through = connect(path)
    for (const [from, to] of [
      [client, through],
      [through, client],
    ] as const) {
      open.add(from)
      from.once('close', () => {
        open.delete(from)
        to.destroy()
      })
      from.on('error', () => to.destroy())
      from.pipe(to)
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      for (const socket of open) socket.destroy()
      server.close()
      if (inside.exitCode !== null || inside.signalCode !== null) return
      const gone = once(inside, 'exit')
      inside.kill('SIGTERM')
      await gone
    },
  }
}
