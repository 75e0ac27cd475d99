/** Both test networks with their servers, for the duration of a test file. */
import { join } from 'node:path'
import { temporaryDataDir } from '../support/stack.ts'
import { type DnsdServer, serveByDnsd, serveByKnot } from './servers.ts'
import { createWorld, type World, ZONE_FILE } from './world.ts'

export interface Pair {
  readonly dnsd: World
  readonly knot: World
  /** Changes the zone of dnsd; resolves when dnsd answers with the change. */
  readonly importZone: DnsdServer['importZone']
  close(): Promise<void>
}

/** Starts both. If a part does not start, the running parts are stopped. */
export async function startPair(): Promise<Pair> {
  const folder = temporaryDataDir()
  const undo: (() => unknown)[] = [() => folder.remove()]
  const close = async () => {
    for (const step of undo.reverse()) await step()
  }
  const place = (name: string) => join(folder.path, name)
  try {
    const dnsd = await createWorld(place('of-dnsd'))
    undo.push(() => dnsd.close())
    const knot = await createWorld(place('of-knot'))
    undo.push(() => knot.close())
    const server: DnsdServer = await serveByDnsd(dnsd, place('of-dnsd'))
    undo.push(() => server.stop())
    const serial = await server.importZone(ZONE_FILE)
    const other = await serveByKnot(knot, place('of-knot'), serial)
    undo.push(() => other.stop())
    return { dnsd, knot, importZone: server.importZone, close }
  } catch (error) {
    await close()
    throw error
  }
}
