import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'

/** 144 bits, in characters that never need quoting. */
const SECRET_OCTETS = 18

/** A random secret. */
export function randomSecret(): string {
  return randomBytes(SECRET_OCTETS).toString('base64url')
}

/** Atomically writes a file that only its owner can read. */
export function writeSecret(file: string, secret: string): void {
  writeFileSync(`${file}.new`, `${secret}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

/** The secret in a file; undefined when the file does not exist or is empty. */
export function readSecret(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8').trim() || undefined : undefined
}

/** Reads the secret from a file. If the file does not exist, generates a random secret and stores it. */
export function keptSecret(file: string): string {
  const kept = readSecret(file)
  if (kept !== undefined) return kept
  const secret = randomSecret()
  writeSecret(file, secret)
  return secret
}
