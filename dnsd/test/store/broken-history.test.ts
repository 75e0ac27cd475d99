/* A follower whose history has a gap: behind the retention, or of a database that was restored. */
import { describe, expect, it } from 'vitest'
import { toldOf, useFollowers } from '../support/followers.ts'

const t = useFollowers()

describe('a history that broke', () => {
  it('behind the retention: the zone is read whole, and this is reported', async () => {
    const f = await t.followedZone('behind.test')
    await f.stop()
    for (let n = 1; n <= 5; n++)
      await t.writer.setAddress(f.zoneId, 'a.behind.test', `192.0.2.${n}`)
    await t.writer.client.query('delete from zone_changes where zone_id = $1 and serial < 105', [
      f.zoneId,
    ])
    const again = t.following({ store: f.store })
    await again.follower.current
    expect(toldOf(again.told, 'resync')).toEqual(['resync behind.test behind-retention'])
    expect(again.addresses('a.behind.test')).toEqual(['192.0.2.5'])
  })

  it('behind the retention without any set left', async () => {
    const f = await t.followedZone('empty.test')
    await f.stop()
    await t.writer.setAddress(f.zoneId, 'a.empty.test', '192.0.2.1')
    await t.writer.client.query('delete from zone_changes where zone_id = $1', [f.zoneId])
    const again = t.following({ store: f.store })
    await again.follower.current
    expect(toldOf(again.told, 'resync')).toEqual(['resync empty.test behind-retention'])
    expect(again.addresses('a.empty.test')).toEqual(['192.0.2.1'])
  })

  it('idle beyond the retention: its set is gone, and the next one fits nevertheless', async () => {
    const f = await t.followedZone('idle.test')
    await t.writer.client.query('delete from zone_changes where zone_id = $1', [f.zoneId])
    await t.writer.setAddress(f.zoneId, 'a.idle.test', '192.0.2.1')
    await f.untilAddresses('a.idle.test', ['192.0.2.1'])
    expect(toldOf(f.told, 'resync idle.test')).toEqual(['resync idle.test new-zone'])
  })

  /** Restores the zone's rows to their current state, like a restore of the database. */
  async function backup(zoneId: string): Promise<() => Promise<void>> {
    const tables = ['records', 'zone_changes', 'zone_serials'] as const
    const copies: string[] = []
    for (const table of tables) {
      const rows = await t.writer.client.query<{ rows: string }>(
        `select coalesce(json_agg(t), '[]')::text as rows from ${table} t where zone_id = $1`,
        [zoneId],
      )
      copies.push(rows.rows[0]?.rows ?? '[]')
    }
    return async () => {
      await t.writer.client.query('begin')
      for (const [at, table] of tables.entries()) {
        await t.writer.client.query(`delete from ${table} where zone_id = $1`, [zoneId])
        const overriding = table === 'records' ? 'overriding system value' : ''
        await t.writer.client.query(
          `insert into ${table} ${overriding} select * from json_populate_recordset(null::${table}, $1)`,
          [copies[at]],
        )
      }
      await t.writer.client.query('commit')
    }
  }

  it('a restored database with a lower serial is detected while following', async () => {
    const f = await t.followedZone('back.test', { pollMs: 20 })
    await t.writer.setAddress(f.zoneId, 'a.back.test', '192.0.2.1')
    const restore = await backup(f.zoneId)
    await t.writer.setAddress(f.zoneId, 'a.back.test', '192.0.2.2')
    await f.untilAddresses('a.back.test', ['192.0.2.2'])
    await restore()
    await f.untilAddresses('a.back.test', ['192.0.2.1'])
    expect(toldOf(f.told, 'resync back.test').at(-1)).toBe('resync back.test serial-went-back')
  })

  it.each([
    ['to the same serial', 3],
    ['past it', 4],
    ['far past it', 9],
  ])('a restored database that grew again %s is detected', async (_how, sets) => {
    const zone = `grown-${sets}.test`
    const f = await t.followedZone(zone)
    await t.writer.setAddress(f.zoneId, `a.${zone}`, '192.0.2.1')
    const restore = await backup(f.zoneId)
    for (let n = 0; n < 3; n++)
      await t.writer.setAddress(f.zoneId, `lost-${n}.${zone}`, '192.0.2.66')
    await f.untilAddresses(`lost-2.${zone}`, ['192.0.2.66'])
    await f.stop()
    await restore()
    for (let n = 0; n < sets; n++)
      await t.writer.setAddress(f.zoneId, `new-${n}.${zone}`, '192.0.2.1')
    const again = t.following({ store: f.store })
    await again.follower.current
    expect(toldOf(again.told, 'resync')).toEqual([`resync ${zone} history-differs`])
    expect(again.addresses(`lost-1.${zone}`)).toBeUndefined()
    expect(await again.digest(zone)).toBe(await t.freshDigest(zone))
  })

  it('a new feed id means that everything is read again', async () => {
    const f = await t.followedZone('feed.test', { pollMs: 20 })
    await t.writer.client.query(
      `update zone_serials set feed_id = gen_random_uuid(), serial = serial + 268435456,
         previous_token = token, token = gen_random_uuid() where zone_id = $1`,
      [f.zoneId],
    )
    await f.until(() => f.serial('feed.test') === 268_435_557n)
    expect(f.told).toContain('resync feed.test feed-changed')
    await t.writer.setAddress(f.zoneId, 'a.feed.test', '192.0.2.1')
    await f.untilAddresses('a.feed.test', ['192.0.2.1'])
  })

  it('the old zone is served until the new one is complete', async () => {
    const f = await t.followedZone('kept.test')
    await t.writer.setAddress(f.zoneId, 'a.kept.test', '192.0.2.1')
    await f.untilAddresses('a.kept.test', ['192.0.2.1'])
    await f.stop()
    await t.writer.setAddress(f.zoneId, 'b.kept.test', '192.0.2.2')
    await t.writer.client.query('delete from zone_changes where zone_id = $1', [f.zoneId])
    const again = t.following({ store: f.store })
    const seen: (string[] | undefined)[] = []
    const sample = setInterval(() => seen.push(again.addresses('a.kept.test')), 0)
    await again.follower.current
    clearInterval(sample)
    expect(again.addresses('b.kept.test')).toEqual(['192.0.2.2'])
    for (const each of seen) expect(each).toEqual(['192.0.2.1'])
  })
})
