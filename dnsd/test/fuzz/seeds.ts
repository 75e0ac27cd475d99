import { readFileSync, writeFileSync } from 'node:fs'

const FILE = new URL('seeds.txt', import.meta.url)
const HEAD =
  '# Packets that each reached something new, in hexadecimal. `main.ts --collect` adds to them.\n'

/** The packets that each campaign sends first. */
export function readSeeds(): Buffer[] {
  return readFileSync(FILE, 'latin1')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => Buffer.from(line, 'hex'))
}

export function writeSeeds(seeds: readonly Buffer[]): void {
  writeFileSync(FILE, HEAD + seeds.map((seed) => `${seed.toString('hex')}\n`).join(''))
}
