/** Writes text that arrives in parts, without keeping it in memory. */
import { once } from 'node:events'
import { type FileHandle, open } from 'node:fs/promises'
import { EXIT } from './exit-codes.ts'
import { CommandFailure } from './failure.ts'

/**
 * Writes the parts to a file, or to stdout. The file is opened with the first part, so that a refused call leaves a
 * former file as it was.
 *
 * @throws CommandFailure if the file cannot be written, or if the parts end early
 */
export async function writeParts(parts: AsyncIterable<string>, file?: string): Promise<void> {
  if (file === undefined) return toStdout(parts)
  let handle: FileHandle | undefined
  try {
    for await (const part of parts) {
      handle ??= await open(file, 'w')
      await handle.write(part)
    }
  } catch (error) {
    throw explained(error as Error, handle === undefined ? undefined : file)
  } finally {
    await handle?.close()
  }
}

async function toStdout(parts: AsyncIterable<string>): Promise<void> {
  const { stdout } = process
  for await (const part of parts) {
    if (!stdout.write(part)) await once(stdout, 'drain')
  }
}

/** @param begun the file that has only a part of the text */
function explained(error: Error, begun: string | undefined): CommandFailure {
  const state = begun === undefined ? '' : ` ${begun} is not complete.`
  if (error instanceof CommandFailure) {
    return new CommandFailure(error.exitCode, `${error.message}${state}`, error.problem)
  }
  return new CommandFailure(EXIT.failed, `The file cannot be written: ${error.message}.${state}`)
}
