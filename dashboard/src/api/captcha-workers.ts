/** Solves a CAPTCHA on a page over plain HTTP. Several workers share the work, and the page stays responsive. */
import { type Challenge, type Solution, solveChallengeWorkers } from 'altcha-lib'

/** More would take the processor from everything else on the machine. */
const WORKERS_LIMIT = 4
/** A slow phone computes for half a minute. */
const TIME_LIMIT_MS = 180_000

const createWorker = () =>
  new Worker(new URL('./captcha-worker.ts', import.meta.url), { type: 'module' })

/** @returns null after a time-out or an abort */
export async function solveInWorkers(
  challenge: Challenge,
  controller: AbortController,
): Promise<Solution | null> {
  const concurrency = Math.min(WORKERS_LIMIT, navigator.hardwareConcurrency)
  const timeout = TIME_LIMIT_MS
  return solveChallengeWorkers({ challenge, controller, concurrency, createWorker, timeout })
}
