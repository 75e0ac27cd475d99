/** The link of a mail, by the address and the subject of the mail. */
import { messagesTo } from './mailbox.ts'
import { eventually } from './stack.ts'

/** Waits for the mail. @returns its link, the only line that is a URL */
export async function linkOfMail(
  dataDir: string,
  address: string,
  subject: string,
): Promise<string> {
  const find = async () =>
    (await messagesTo(dataDir, address)).findLast((mail) => mail.subject?.endsWith(`: ${subject}`))
  const mail = await eventually(find, (found) => found !== undefined)
  const link = mail?.text?.split('\n').find((line) => /^https?:\/\/\S+\/#/.test(line))
  if (link === undefined) throw new Error(`the mail “${subject}” has no link`)
  return link
}
