/**
 * The folder of the local mailbox in development, which `mailer.ts` writes. Only its owner has access; mails are read
 * one by one.
 */
import { chmodSync, mkdirSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

interface Place {
  readonly dataDir: string
}

/** File names contain addresses, and mails contain links that sign people in. */
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
  // In two steps, because `recursive` would give the mode to DATA_DIR too.
  mkdirSync(place.dataDir, { recursive: true })
  const folder = mailboxFolder(place)
  mkdirSync(folder, { recursive: true, mode: FOLDER_MODE })
  restrictMailbox(place)
  return folder
}

/** Restricts an existing folder to its owner: earlier versions created it with the default mode. */
export function restrictMailbox(place: Place): void {
  try {
    chmodSync(mailboxFolder(place), FOLDER_MODE)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

/** Maximum number of mails that are listed. */
const LISTED_LIMIT = 500

/** The file names of the mails, newest first. */
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

/** The characters that the mailer writes. They form a file name and never a path. */
const MAIL_FILE = /^[A-Za-z0-9][A-Za-z0-9@._-]*\.eml$/

/** One mail as it was written; undefined when there is no mail of this name. */
export async function readMailbox(place: Place, file: string): Promise<Buffer | undefined> {
  if (!MAIL_FILE.test(file)) return undefined
  try {
    return await readFile(join(mailboxFolder(place), file))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
