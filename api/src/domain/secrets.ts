import { createHash } from 'node:crypto'

/** What is kept of a secret that is itself random: its SHA-256. Guessing 160 bits and more needs no slow hash to prevent. */
export function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}
