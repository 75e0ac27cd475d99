/**
 * Resolves at the first SIGTERM or SIGINT. Further ones change nothing: a terminal, npm and a service
 * runner may each pass on the same one, and stopping takes a moment at most.
 */
export async function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    process.on('SIGTERM', resolve)
    process.on('SIGINT', resolve)
  })
}
