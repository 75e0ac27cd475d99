/** Takes jobs out of PostgreSQL and runs them. */
import { PgBoss } from 'pg-boss'
import type { JobHandlers } from './job-handlers.ts'
import type { JobName } from '../queue/job-data.ts'
import { JOB_SCHEMA } from '../queue/job-queue.ts'

export interface RunnerOptions {
  /** A direct connection, not one through a transaction pooler: jobs are announced by NOTIFY. */
  readonly url: string
  readonly onError: (error: Error) => void
}

/** Told of each run of a job, with what it threw. */
export type RunObserver = (name: JobName, error?: unknown) => void

/** Jobs of one kind that are run at once. */
const CONCURRENCY = 2
/** Most seconds between two looks where notifications work, and where they do not. */
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

  /** @throws the database's error when it is away, and the library's when its tables are not there */
  async start(): Promise<void> {
    await this.#boss.start()
  }

  /** Takes jobs of every kind from now on. One that throws is tried again later. */
  async handleAll(handlers: JobHandlers, observe: RunObserver): Promise<void> {
    for (const name of Object.keys(handlers) as JobName[])
      await this.#handle(name, handlers, observe)
  }

  async #handle(name: JobName, handlers: JobHandlers, observe: RunObserver): Promise<void> {
    // Each queue carries its own kind of job, which the type of all kinds together cannot say.
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

  /** Takes no more jobs and waits for those under way, at most `limitMs`. */
  async stop(limitMs: number): Promise<void> {
    await this.#boss.stop({ graceful: true, timeout: limitMs })
  }
}
