/*
 * The writing side of the feed in plain SQL, like a transaction of the api: rows first, then the zone's serial, then
 * one change set in a later statement, and a notification with the commit.
 */
import { Client } from 'pg'

export interface RecordInput {
  readonly owner: string
  readonly type?: string
  readonly ttl?: number
  /** When omitted, the RRset is deleted. */
  readonly rdata?: readonly string[]
}

export class FeedWriter {
  readonly client: Client

  private constructor(client: Client) {
    this.client = client
  }

  static async connect(url: string): Promise<FeedWriter> {
    const client = new Client({ connectionString: url })
    // A test may stop the server; the test's own statements report that.
    client.on('error', () => undefined)
    await client.connect()
    return new FeedWriter(client)
  }

  async end(): Promise<void> {
    await this.client.end()
  }

  /** Replaces a zone by an empty one with the same name. @returns its id */
  async replaceZone(zoneId: string, name: string, serial: number): Promise<string> {
    await this.client.query('begin')
    await this.client.query('delete from zone_changes where zone_id = $1', [zoneId])
    await this.client.query('delete from zone_serials where zone_id = $1', [zoneId])
    await this.client.query('delete from zones where id = $1', [zoneId])
    const made = await this.client.query<{ id: string }>(
      `insert into zones (name, soa_mname, soa_rname) values ($1, 'ns1.x.test', 'h.x.test') returning id`,
      [name],
    )
    const id = made.rows[0]?.id ?? ''
    await this.client.query(
      `insert into zone_serials values ($1, $2, gen_random_uuid(), gen_random_uuid(), gen_random_uuid())`,
      [id, serial],
    )
    await this.client.query('commit')
    return id
  }

  /** Creates a zone with an NS record; returns its id. */
  async addZone(name: string, serial = 100): Promise<string> {
    const made = await this.client.query<{ id: string }>(
      `insert into zones (name, soa_mname, soa_rname) values ($1, 'ns1.' || $1, 'hostmaster.' || $1) returning id`,
      [name],
    )
    const zoneId = made.rows[0]?.id ?? ''
    await this.client.query(
      `insert into zone_serials (zone_id, serial, feed_id, token, previous_token)
       values ($1, $2, '00000000-0000-4000-8000-000000000001', gen_random_uuid(), gen_random_uuid())`,
      [zoneId, serial],
    )
    const records = [{ owner: name, type: 'NS', rdata: [`ns1.${name}.`] }]
    await this.publish(zoneId, { records })
    return zoneId
  }

  async removeZone(zoneId: string): Promise<void> {
    await this.client.query('begin')
    await this.client.query('delete from zone_changes where zone_id = $1', [zoneId])
    await this.client.query('delete from zone_serials where zone_id = $1', [zoneId])
    await this.client.query('delete from zones where id = $1', [zoneId])
    await this.client.query('commit')
  }

  /** Changes records and publishes them as one change set. */
  async publish(
    zoneId: string,
    change: {
      readonly records: readonly RecordInput[]
      readonly notify?: boolean
      readonly end?: 'commit' | 'rollback'
    },
  ): Promise<void> {
    const { records, notify = true, end = 'commit' } = change
    await this.client.query('begin')
    await this.#write(zoneId, records)
    await this.client.query(
      `update zone_serials set previous_token = token, token = gen_random_uuid(),
         serial = serial + case when (serial + 1) % 4294967296 = 0 then 2 else 1 end
       where zone_id = $1`,
      [zoneId],
    )
    await this.client.query(
      `insert into zone_changes (zone_id, serial, owner, rrsets, token, previous_token, changed_at)
       select s.zone_id, s.serial, o.owner, o.rrsets, s.token, s.previous_token, clock_timestamp()
       from zone_serials s, owner_states($1, $2) o where s.zone_id = $1`,
      [zoneId, [...new Set(records.map(({ owner }) => owner))]],
    )
    if (notify) await this.client.query(`select pg_notify('zone_change', $1)`, [zoneId])
    await this.client.query(end)
  }

  /** Publishes one address: the usual change. */
  async setAddress(zoneId: string, owner: string, ...addresses: string[]): Promise<void> {
    const rdata = addresses.length === 0 ? {} : { rdata: addresses }
    await this.publish(zoneId, { records: [{ owner, ...rdata }] })
  }

  async #write(zoneId: string, records: readonly RecordInput[]): Promise<void> {
    for (const { owner, type = 'A', ttl = 60, rdata } of records) {
      await this.client.query(
        'delete from records where zone_id = $1 and owner = $2 and type = $3',
        [zoneId, owner, type],
      )
      if (rdata === undefined) continue
      await this.client.query(
        `insert into records (zone_id, owner, type, ttl, rdata, origin) values ($1, $2, $3, $4, $5, 'import')`,
        [zoneId, owner, type, ttl, rdata],
      )
    }
  }
}
