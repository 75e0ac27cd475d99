/** Reads the local mailbox of development; `mailer.ts` writes it. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

interface Place {
  readonly dataDir: string
}

/** The folder of the local mailbox. */
export function mailboxFolder({ dataDir }: Place): string {
  return join(dataDir, 'mail')
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
