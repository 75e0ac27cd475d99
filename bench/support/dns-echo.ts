/** Servers that only echo packets, which shows the cost of the packets alone. */
import { fileURLToPath } from 'node:url'
import { type Contender, startServer } from './dns-contender.ts'
import { freePort } from './service.ts'

function echo(name: string, program: URL): Contender {
  return {
    name,
    missing: () => undefined,
    async start(zone) {
      const port = await freePort()
      const path = fileURLToPath(program)
      return startServer(zone, {
        name,
        command: [process.execPath, path, String(port)],
        port,
        isEcho: true,
      })
    },
  }
}

export const dgramEcho = echo('echo', new URL('./dgram-echo.ts', import.meta.url))
export const batchEcho = echo('echo-batch', new URL('./batch-echo.ts', import.meta.url))
