import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SILENT_STORE } from '../../src/store/events.ts'
import { SnapshotAndLog, ZoneStore } from '../../src/store/index.ts'
import type { ZoneTable } from '../../src/table/index.ts'
import type { Zone } from '../../src/zone/index.ts'
import { type RunningDaemon, startDaemon } from './daemon.ts'

// No server listens there: the daemon answers from its disk.
const NOWHERE = 'postgresql://nobody:nothing@127.0.0.1:9/nowhere'

/** A daemon with these zones on its disk, and a function that ends it. */
export interface ServingDaemon extends RunningDaemon {
  stop(): Promise<void>
}

/**
 * Starts a daemon in a separate process, without a database.
 *
 * @param makeZones creates the served zones, in the given table
 */
export async function serveInProcess(
  makeZones: (table: ZoneTable) => readonly Zone[],
  environment: Record<string, string> = {},
): Promise<ServingDaemon> {
  const folder = mkdtempSync(join(tmpdir(), 'homing-dnsd-'))
  const diskFolder = join(folder, 'dnsd')
  mkdirSync(diskFolder)
  const store = new ZoneStore()
  const disk = await SnapshotAndLog.open({
    folder: diskFolder,
    store,
    events: SILENT_STORE,
  })
  for (const [index, zone] of makeZones(store.zones.table).entries()) {
    await store.replace(String(index), zone)
  }
  await disk.close()
  const daemon = await startDaemon(folder, { DATABASE_URL: NOWHERE, ...environment })
  await daemon.ready
  return {
    ...daemon,
    async stop() {
      daemon.process.kill('SIGKILL')
      await daemon.ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
