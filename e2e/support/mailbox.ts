/** The local mailbox: each message that the service sent is a file in DATA_DIR/mail. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import PostalMime, { type Email } from 'postal-mime'

/** All messages to an address, oldest first. */
export async function messagesTo(dataDir: string, address: string): Promise<Email[]> {
  const folder = join(dataDir, 'mail')
  let files: string[]
  try {
    files = readdirSync(folder)
  } catch {
    return [] // The folder is made with the first message.
  }
  const messages = await Promise.all(
    files
      .filter((file) => file.endsWith('.eml'))
      .toSorted()
      .map((file) => PostalMime.parse(readFileSync(join(folder, file)))),
  )
  return messages.filter((message) => message.to?.some((to) => to.address === address))
}
