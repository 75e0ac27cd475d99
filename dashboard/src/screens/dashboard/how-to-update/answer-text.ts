import { UPDATE_ANSWERS, type UpdateAnswer } from '@homing/openapi/devices'

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

/** Whether a call did what it asked for, in any dialect of the update protocol. */
export const isSuccess = (answer: string): boolean =>
  /^(good|nochg|OK|addresses (updated|unchanged))\b/.test(answer)

export const answerText = ({ meaning, action }: UpdateAnswer): string =>
  action === 'nothing' ? sentence(meaning) : `${sentence(meaning)} ${sentence(action)}`

/** What an answer means, and what to do about it. @param status of the response, if known; it tells two answers apart */
export function meaningOf(answer: string, status?: number): string | undefined {
  const [code = ''] = answer.split(' ')
  const known = UPDATE_ANSWERS.filter(({ codes }) => codes.includes(code))
  const meant = known.find((each) => each.status === status) ?? known[0]
  return meant && answerText(meant)
}
