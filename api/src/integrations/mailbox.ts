/** The folder of the local mailbox of development, which `mailer.ts` writes: for its owner alone, and read mail by mail. */
import { chmodSync, mkdirSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

interface Place {
  readonly dataDir: string
}

/** Names of files have addresses in them, and the mails links that sign people in. */
const FOLDER_MODE = 0o700

/** The folder of the local mailbox. */
export const mailboxFolder = ({ dataDir }: Place) => join(dataDir, 'mail')

/**
 * Creates the folder of the local mailbox if it is missing, with access for its owner only.
 *
 * @returns its path
 * @throws the system's error when it cannot be made, or belongs to another user
 */
export function makeMailbox(place: Place): string {
  // Apart, because `recursive` would give the mode to DATA_DIR too.
  mkdirSync(place.dataDir, { recursive: true })
  const folder = mailboxFolder(place)
  mkdirSync(folder, { recursive: true, mode: FOLDER_MODE })
  restrictMailbox(place)
  return folder
}

/** Takes access to a folder that is there from everybody but its owner: earlier versions made it with the usual mode. */
export function restrictMailbox(place: Place): void {
  try {
    chmodSync(mailboxFolder(place), FOLDER_MODE)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

/** Most mails that are listed. */
const LISTED_LIMIT = 500

/** The names of the mails' files, the newest first. */
export async function listMailbox(place: Place): Promise<string[]> {
  try {
    const files = await readdir(mailboxFolder(place))
    return files
      .filter((name) => MAIL_FILE.test(name))
      .toSorted()
      .toReversed()
      .slice(0, LISTED_LIMIT)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** The characters that the mailer writes: a name of a file and never a path. */
const MAIL_FILE = /^[A-Za-z0-9][A-Za-z0-9@._-]*\.eml$/

/** One mail as it was written; undefined when there is none of this name. */
export async function readMailbox(place: Place, file: string): Promise<Buffer | undefined> {
  if (!MAIL_FILE.test(file)) return undefined
  try {
    return await readFile(join(mailboxFolder(place), file))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
