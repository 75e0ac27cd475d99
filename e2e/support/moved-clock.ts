/**
 * Loaded into the processes of a service before their own code (`--import`): their time is that of the wall and an offset, which a
 * file holds. PostgreSQL and timers keep the time of the wall.
 */
import { readFileSync } from 'node:fs'

const READ_EVERY_MS = 50
const Wall = Date
const file = new URL(import.meta.url).searchParams.get('file') ?? ''
let offsetMs = 0

function read(): void {
  const text = readFileSync(file, 'utf8')
  // A file that is being written can be empty.
  if (/^\d+\n$/.test(text)) offsetMs = Number(text)
}

class MovedDate extends Wall {
  constructor(...given: readonly unknown[]) {
    if (given.length === 0) super(MovedDate.now())
    else super(...(given as [number]))
  }

  static override now(): number {
    return Wall.now() + offsetMs
  }
}

read()
setInterval(read, READ_EVERY_MS).unref()
globalThis.Date = MovedDate as DateConstructor
