import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'

/** 144 bits, from characters that need no quoting anywhere. */
const SECRET_OCTETS = 18

/** A secret that nobody chose. */
export function randomSecret(): string {
  return randomBytes(SECRET_OCTETS).toString('base64url')
}

/** Writes a file that only its owner can read, whole or not at all. */
export function writeSecret(file: string, secret: string): void {
  writeFileSync(`${file}.new`, `${secret}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

/** The secret in a file; undefined when there is none. */
export function readSecret(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8').trim() || undefined : undefined
}

/** The secret in a file, made at random when there is none. */
export function keptSecret(file: string): string {
  const kept = readSecret(file)
  if (kept !== undefined) return kept
  const secret = randomSecret()
  writeSecret(file, secret)
  return secret
}
