/** Asks several servers of a zone for what any of them can answer. */

/** A server that is silent for this long is asked no longer alone. */
const HEAD_START_MS = 200
const SERVERS_LIMIT = 6

/**
 * Asks one server after the other until one gives an answer that counts. The next one is asked as soon as one has failed,
 * or after 200 ms, while the earlier ones can still answer.
 *
 * @param askOne undefined when the answer does not count
 */
export async function firstReply<Server, T>(
  servers: readonly Server[],
  askOne: (server: Server) => Promise<T | undefined>,
): Promise<T | undefined> {
  const found = Promise.withResolvers<T | undefined>()
  const waiting = servers.slice(0, SERVERS_LIMIT)
  let underWay = 0
  let timer: NodeJS.Timeout | undefined
  const next = (): void => {
    clearTimeout(timer)
    const server = waiting.shift()
    if (server === undefined) {
      if (underWay === 0) found.resolve(undefined)
      return
    }
    underWay += 1
    timer = setTimeout(next, HEAD_START_MS)
    const finish = (answer: T | undefined): void => {
      underWay -= 1
      if (answer === undefined) next()
      else found.resolve(answer)
    }
    askOne(server).then(finish, found.reject)
  }
  next()
  try {
    return await found.promise
  } finally {
    clearTimeout(timer)
    waiting.length = 0
  }
}
