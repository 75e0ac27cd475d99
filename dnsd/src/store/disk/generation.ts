/*
 * The files of a folder. Snapshot N has the data that was served when log N began. Log N continues
 * from there until log N + 1. So the current data is any snapshot with all logs from its own on.
 */
import { join } from 'node:path'
import type { FileKind } from './file-format.ts'
import type { Files } from './files.ts'

const NAME = /^(snapshot|log)-(\d{12})(\.unfinished)?$/

/** The path of a complete snapshot or of a log. */
export function generationPath(folder: string, kind: FileKind, generation: number): string {
  return join(folder, `${kind}-${String(generation).padStart(12, '0')}`)
}

/** The path of a snapshot until it is complete. */
export function unfinishedPath(folder: string, generation: number): string {
  return `${generationPath(folder, 'snapshot', generation)}.unfinished`
}

/** The files of a folder. Generations are ascending. */
export interface FolderContents {
  readonly snapshots: readonly number[]
  readonly logs: readonly number[]
  /** Paths of snapshots whose writing was interrupted. */
  readonly unfinished: readonly string[]
}

/** Lists the files of a folder, and ignores others. @throws Error if the folder cannot be read */
export async function listGenerations(files: Files, folder: string): Promise<FolderContents> {
  const snapshots: number[] = []
  const logs: number[] = []
  const unfinished: string[] = []
  for (const name of await files.readdir(folder)) {
    const [, kind, generation, rest] = NAME.exec(name) ?? []
    if (kind === undefined) continue
    if (rest !== undefined) unfinished.push(join(folder, name))
    else (kind === 'snapshot' ? snapshots : logs).push(Number(generation))
  }
  const ascending = (a: number, b: number): number => a - b
  return { snapshots: snapshots.sort(ascending), logs: logs.sort(ascending), unfinished }
}

/**
 * Removes the files that are not needed when snapshot `newest` is complete: everything before `older`,
 * which is the fallback if the newest snapshot turns out to be damaged, and the snapshots in between.
 *
 * @throws the system's error of the first file that cannot be removed, after all others were removed
 */
export async function removeOlder(
  files: Files,
  folder: string,
  { newest, older }: { newest: number; older: number },
): Promise<void> {
  const { snapshots, logs } = await listGenerations(files, folder)
  const unneeded = [
    ...snapshots
      .filter((generation) => generation !== newest && generation !== older)
      .map((generation) => generationPath(folder, 'snapshot', generation)),
    ...logs
      .filter((generation) => generation < Math.min(older, newest))
      .map((generation) => generationPath(folder, 'log', generation)),
  ]
  const failures: unknown[] = []
  for (const path of unneeded) {
    await files.rm(path, { force: true }).catch((error: unknown) => failures.push(error))
  }
  if (failures.length > 0) throw failures[0]
}
