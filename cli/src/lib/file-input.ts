/** Files that a command reads as a whole. */
import { readFile } from 'node:fs/promises'
import { EXIT } from './exit-codes.ts'
import { CommandFailure } from './failure.ts'

/** The text of a file; `-` is standard input. @throws CommandFailure if the file cannot be read */
export async function textOfFile(file: string): Promise<string> {
  try {
    return file === '-' ? await textOfStdin() : await readFile(file, 'utf8')
  } catch (error) {
    const { message } = error as Error
    throw new CommandFailure(EXIT.failed, `The file cannot be read: ${message}.`)
  }
}

async function textOfStdin(): Promise<string> {
  let text = ''
  for await (const part of process.stdin.setEncoding('utf8')) text += String(part)
  return text
}
