/** A server with the answers of a test, and commands that call it with an API key. */
import { afterEach, beforeEach } from 'vitest'
import { type Ended, fakeServer, type FakeServer, homing, type Reply } from './support.ts'

export class KeyedServer {
  server!: FakeServer

  /** What the command sent. */
  get asked(): FakeServer['asked'] {
    return this.server.asked
  }

  /** The paths that the command deleted: `DELETE /api/…`. */
  get deletions(): string[] {
    return this.asked
      .map(({ request }) => request)
      .filter((request) => request.startsWith('DELETE'))
  }

  /** Runs the command. The server keeps the replies of earlier runs of the test. */
  run(replies: Record<string, Reply>, ...args: string[]): Promise<Ended> {
    Object.assign(this.server.replies, replies)
    return homing(args, { HOMING_API_KEY: 'ak_key', HOMING_URL: this.server.url })
  }
}

/** A server for each test of a file. */
export function useKeyedServer(): KeyedServer {
  const keyed = new KeyedServer()
  beforeEach(async () => {
    keyed.server = await fakeServer({})
  })
  afterEach(() => keyed.server.close())
  return keyed
}
