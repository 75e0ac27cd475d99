/** Takes jobs from PostgreSQL and runs them. */
import { PgBoss } from 'pg-boss'
import type { JobHandlers } from './job-handlers.ts'
import type { JobName } from '../queue/job-data.ts'
import { JOB_SCHEMA } from '../queue/job-queue.ts'

export interface RunnerOptions {
  /** A direct connection, not one through a transaction pooler: NOTIFY announces jobs. */
  readonly url: string
  readonly onError: (error: Error) => void
}

/** Called after each run of a job, with the error if it failed. */
export type RunObserver = (name: JobName, error?: unknown) => void

/** Jobs of one kind that run at the same time. */
const CONCURRENCY = 2
/** Maximum seconds between two polls, with notifications and without. */
const POLL_NOTIFIED_SECONDS = 5
const POLL_SECONDS = 1

export class JobRunner {
  readonly #boss: PgBoss

  constructor({ url, onError }: RunnerOptions) {
    this.#boss = new PgBoss({
      connectionString: url,
      application_name: 'homing-jobs',
      schema: JOB_SCHEMA,
      migrate: false,
      createSchema: false,
      schedule: false,
      max: 4,
      useListenNotify: true,
    })
    this.#boss.on('error', onError)
  }

  /** @throws the database's error when it is unavailable, and the library's when its tables do not exist */
  async start(): Promise<void> {
    await this.#boss.start()
  }

  /** Starts taking jobs of every kind. A job that throws is retried later. */
  async handleAll(handlers: JobHandlers, observe: RunObserver): Promise<void> {
    for (const name of Object.keys(handlers) as JobName[])
      await this.#handle(name, handlers, observe)
  }

  async #handle(name: JobName, handlers: JobHandlers, observe: RunObserver): Promise<void> {
    // Each queue carries one kind of job, which the type of all kinds together cannot express.
    const run = handlers[name] as (job: unknown, id: string) => Promise<void>
    const options = {
      batchSize: 1,
      localConcurrency: CONCURRENCY,
      pollingIntervalSeconds: POLL_SECONDS,
      notifyPollingIntervalSeconds: POLL_NOTIFIED_SECONDS,
    }
    await this.#boss.work<unknown>(name, options, async ([job]) => {
      if (job === undefined) return
      try {
        await run(job.data, job.id)
        observe(name)
      } catch (error) {
        observe(name, error)
        throw error
      }
    })
  }

  /** Stops taking jobs and waits for the running ones, at most `limitMs`. */
  async stop(limitMs: number): Promise<void> {
    await this.#boss.stop({ graceful: true, timeout: limitMs })
  }
}
