/** The zone and the queries of a DNS benchmark as files. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BenchZone } from './dns-contender.ts'
import { writeQuestions, writeZone } from './dns-mix.ts'

export interface DisposableZone extends BenchZone {
  [Symbol.dispose](): void
}

/** Writes the files into a folder that is removed with the zone. */
export async function makeBenchZone(names: number): Promise<DisposableZone> {
  const folder = mkdtempSync(join(tmpdir(), 'homing-bench-dns-'))
  const zone = {
    folder,
    masterFile: join(folder, 'zone.master'),
    questions: join(folder, 'questions'),
    names,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
  await writeZone(zone.masterFile, names)
  writeQuestions(zone.questions, names)
  return zone
}
