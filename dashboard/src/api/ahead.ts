/** The answers to the calls that a script before the app (`entry/ahead.js`) has made for it. */

declare global {
  /** Undefined if the script has made no calls. */
  var homingAhead:
    | {
        /** By performance.now(). */
        readonly askedAt: number
        /** By the URL without the origin. */
        readonly answers: Map<string, Promise<Response>>
      }
    | undefined
}

/** Later, the dashboard has to show newer data. */
const FRESH_MS = 10_000

/** Whether calls were made before the app ran. */
export const hasAnswersAhead = (): boolean => globalThis.homingAhead !== undefined

/** The answer to a call that was made before the app ran. It is given once: the next reading of the same is a new call. */
export function answerAhead({ method, url }: Request): Promise<Response> | undefined {
  const ahead = globalThis.homingAhead
  if (ahead === undefined || method !== 'GET') return undefined
  if (performance.now() - ahead.askedAt > FRESH_MS) {
    globalThis.homingAhead = undefined
    return undefined
  }
  const { pathname, search } = new URL(url)
  const answer = ahead.answers.get(pathname + search)
  ahead.answers.delete(pathname + search)
  return answer
}
