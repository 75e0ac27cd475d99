/* A database with a feed that a test writes, and followers that are stopped after the test. */
import { afterAll, afterEach, beforeAll } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import type { ZoneStore } from '../../src/store/index.ts'
import { FeedWriter } from './feed-writer.ts'
import { follow, type Following } from './following.ts'

export class Followers {
  writer!: FeedWriter
  /** In the order in which they were started. */
  readonly running: Following[] = []
  #database!: TestDatabase

  async open(): Promise<void> {
    this.#database = await createTestDatabase()
    this.writer = await FeedWriter.connect(this.url)
  }

  async end(): Promise<void> {
    await this.writer.end()
    await this.#database.drop()
  }

  /** The connection string of the database. */
  get url(): string {
    return this.#database.url
  }

  following(options: { pollMs?: number; store?: ZoneStore; url?: string } = {}): Following {
    const started = follow(options.url ?? this.url, options)
    this.running.push(started)
    return started
  }

  /** Creates a zone for a test, and a follower that has loaded it. */
  async followedZone(
    name: string,
    options: { pollMs?: number } = {},
  ): Promise<Following & { zoneId: string }> {
    const zoneId = await this.writer.addZone(name)
    const started = this.following(options)
    await started.follower.current
    return { ...started, zoneId }
  }

  /** The contents that a new follower loads. */
  async freshDigest(zone: string): Promise<string> {
    const fresh = follow(this.url)
    await fresh.follower.current
    await fresh.stop()
    return fresh.digest(zone)
  }

  async stop(): Promise<void> {
    await Promise.all(this.running.splice(0).map((each) => each.stop()))
  }
}

/** The followers of a file of tests. They are open inside tests. */
export function useFollowers(): Followers {
  const opened = new Followers()
  beforeAll(() => opened.open())
  afterEach(() => opened.stop())
  afterAll(() => opened.end())
  return opened
}

/** The recorded lines of one kind of event. */
export const toldOf = (told: readonly string[], event: string): string[] =>
  told.filter((line) => line.startsWith(event))
