import { randomBytes, randomUUID } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError } from './config-error.ts'

/** Octets of a generated key. */
const KEY_OCTETS = 32

/**
 * The secret key in `DATA_DIR/secret-key` (mode 0600), generated when it does not exist.
 *
 * Several processes start at once and must agree: each writes its key to a temporary file and links
 * that to the final name, which only the first can do.
 *
 * @throws ConfigError naming DATA_DIR when the file cannot be created or read
 */
export function keptSecretKey(dataDir: string): Buffer {
  const file = join(dataDir, 'secret-key')
  try {
    return readSecretKey(file) ?? makeSecretKey(dataDir, file)
  } catch (error) {
    const reason = (error as Error).message
    throw new ConfigError('DATA_DIR', dataDir, `a writable folder (${reason})`)
  }
}

function readSecretKey(file: string): Buffer | undefined {
  try {
    const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64url')
    if (key.length < KEY_OCTETS)
      throw new Error(`${file} does not contain a key of at least ${KEY_OCTETS} octets`)
    return key
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function makeSecretKey(dataDir: string, file: string): Buffer {
  mkdirSync(dataDir, { recursive: true })
  const key = randomBytes(KEY_OCTETS)
  // Containers that share the folder can have the same process id.
  const aside = `${file}.${randomUUID()}`
  writeFileSync(aside, `${key.toString('base64url')}\n`, { mode: 0o600, flag: 'wx' })
  try {
    linkSync(aside, file)
    return key
  } catch (error) {
    const other = (error as NodeJS.ErrnoException).code === 'EEXIST' && readSecretKey(file)
    if (other) return other
    throw error
  } finally {
    rmSync(aside, { force: true })
  }
}
