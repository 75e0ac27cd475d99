/* Opens a folder: removes interrupted snapshots, reads all files, and starts to record the lengths of logs. */
import { readFileSync } from 'node:fs'
import type { ZoneTable } from '../../table/index.ts'
import { listGenerations } from './generation.ts'
import { LogLengths } from './log-lengths.ts'
import { problemOf, type ReadingPlace } from './read-files.ts'
import { type Recovered, recover } from './recovery.ts'

export interface OpenedFolder {
  readonly lengths: LogLengths
  readonly recovered: Recovered
}

/**
 * Reads the contents of a folder. The caller must hold its lock.
 *
 * @param table for the names of its zones
 * @param bootId differs after each boot of the machine; empty when it is unknown
 * @throws as `recover`
 */
export async function openFolder(
  { files, folder }: ReadingPlace,
  table: ZoneTable,
  bootId = bootIdOfSystem(),
): Promise<OpenedFolder> {
  const findings: string[] = []
  const { unfinished } = await listGenerations(files, folder)
  for (const path of unfinished) {
    await files
      .rm(path, { force: true })
      .catch((error: unknown) => findings.push(`${path} cannot be removed: ${String(error)}`))
  }
  const lengths = await LogLengths.read(files, folder, bootId)
  if (lengths.problem !== undefined) findings.push(lengths.problem)
  const recovered = await recover(files, folder, table, lengths)
  await lengths
    .begin()
    .catch((error: unknown) =>
      findings.push(`The lengths of logs cannot be written in ${folder}: ${problemOf(error)}`),
    )
  return { lengths, recovered: { ...recovered, findings: [...findings, ...recovered.findings] } }
}

function bootIdOfSystem(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
  } catch {
    // Not Linux.
    return ''
  }
}
