import { fileURLToPath } from 'node:url'

/**
 * Where programs that tests start keep what they compiled, as `npm start` does: without it each process
 * and each worker thread strips the types of every file anew, which takes longer than most tests.
 */
export const COMPILE_CACHE = fileURLToPath(
  new URL('../../../node_modules/.cache/node', import.meta.url),
)
