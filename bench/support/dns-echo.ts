/** Servers that only send back what came: what the packets alone cost. */
import { fileURLToPath } from 'node:url'
import { type Contender, startServer } from './dns-contender.ts'
import { freePort } from './service.ts'

function echo(name: string, file: string): Contender {
  return {
    name,
    missing: () => undefined,
    async start(zone) {
      const port = await freePort()
      const path = fileURLToPath(new URL(file, import.meta.url))
      return startServer(zone, {
        name,
        command: [process.execPath, path, String(port)],
        port,
        isEcho: true,
      })
    },
  }
}

export const dgramEcho = echo('echo', 'dgram-echo.ts')
export const batchEcho = echo('echo-batch', 'batch-echo.ts')
