/**
 * Resolves at the first SIGTERM or SIGINT and ignores further ones. A terminal, npm and a service
 * runner may each forward the same signal, and stopping takes only a moment.
 */
export async function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    process.on('SIGTERM', resolve)
    process.on('SIGINT', resolve)
  })
}
