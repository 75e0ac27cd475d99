/** Files below a folder of the XDG base directory specification that only their owner can read. */
import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

export type Environment = Readonly<Record<string, string | undefined>>

const MODE_FOLDER = 0o700
const MODE_FILE = 0o600

/**
 * A folder of the program, which need not exist.
 *
 * @param variable the variable with the base folder. A relative path is ignored, as the specification requires
 * @param usual the base folder below the home folder, if the variable has none
 */
export function privateFolder(
  name: string,
  { variable, usual }: { readonly variable: string; readonly usual: string },
  environment: Environment,
): string {
  const configured = environment[variable] ?? ''
  const base = isAbsolute(configured) ? configured : join(environment['HOME'] || homedir(), usual)
  return join(base, 'homing', name)
}

/**
 * Replaces a file in a private folder as a whole: a reader never gets half of it, and an interruption leaves the old one.
 *
 * @throws Error of the operating system
 */
export function writePrivateFile(file: string, text: string, { flush = false } = {}): void {
  const folder = join(file, '..')
  const aside = `${file}.${process.pid}`
  mkdirSync(folder, { recursive: true, mode: MODE_FOLDER })
  for (const own of [folder, join(folder, '..')]) chmodSync(own, MODE_FOLDER)
  try {
    writeFileSync(aside, text, { mode: MODE_FILE, flush })
    renameSync(aside, file)
  } catch (error) {
    rmSync(aside, { force: true })
    throw error
  }
}
