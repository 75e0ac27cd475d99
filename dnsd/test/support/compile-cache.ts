import { fileURLToPath } from 'node:url'

/**
 * The compile cache of programs that tests start, as for `npm start`: without it each process and each worker thread
 * strips the types of every file again, which takes longer than most tests.
 */
export const COMPILE_CACHE = fileURLToPath(
  new URL('../../../node_modules/.cache/node', import.meta.url),
)
