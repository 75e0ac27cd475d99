/**
 * The baseline for updates: a plain service. Each update is its own
 * transaction on one of ten connections: one row, one change row,
 * NOTIFY, commit. A variant batches the same two rows, 64 at a time.
 */
import { Client } from 'pg'

const CONNECTIONS = 10
const NAMES = 10_000

export async function makeYardstick(url: string) {
  const clients = await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const client = new Client({ connectionString: url })
      await client.connect()
      return client
    }),
  )
  const [first] = clients
  if (first === undefined) throw new Error('no connection')
  await first.query(`
    create table if not exists yardstick_names (id integer primary key, address inet);
    create table if not exists yardstick_changes (id bigint generated always as identity primary key, name_id integer, address inet);
    insert into yardstick_names select n, '192.0.2.1' from generate_series(0, ${NAMES - 1}) n on conflict do nothing`)
  await first.query('vacuum analyze yardstick_names')

  let next = 0
  async function updateOne(client: Client): Promise<void> {
    const n = (next += 1)
    const address = `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`
    await client.query('begin')
    await client.query({
      name: 'u',
      text: 'update yardstick_names set address = $2 where id = $1',
      values: [n % NAMES, address],
    })
    await client.query({
      name: 'c',
      text: 'insert into yardstick_changes (name_id, address) values ($1, $2)',
      values: [n % NAMES, address],
    })
    await client.query("select pg_notify('yardstick', '1')")
    await client.query('commit')
  }

  async function gatherOnce(client: Client): Promise<void> {
    const ids = Array.from({ length: 64 }, (_, i) => (next + i) % NAMES)
    const addresses = ids.map((_, i) => {
      const n = next + i
      return `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`
    })
    next += 64
    await client.query('begin')
    await client.query({
      name: 'gu',
      text: 'update yardstick_names set address = a from unnest($1::int[], $2::inet[]) as new(n, a) where id = n',
      values: [ids, addresses],
    })
    await client.query({
      name: 'gc',
      text: 'insert into yardstick_changes (name_id, address) select * from unnest($1::int[], $2::inet[])',
      values: [ids, addresses],
    })
    await client.query("select pg_notify('yardstick', '1')")
    await client.query('commit')
  }

  return {
    /** Updates per second, one transaction each, ten connections. */
    async singleRow(seconds: number): Promise<number> {
      const begun = performance.now()
      const end = begun + seconds * 1_000
      const counts = await Promise.all(
        clients.map(async (client) => {
          let done = 0
          for (; performance.now() < end; done += 1) await updateOne(client)
          return done
        }),
      )
      return counts.reduce((a, b) => a + b, 0) / ((performance.now() - begun) / 1_000)
    },
    /** Updates per second, the same two rows in batches of 64, one connection. */
    async gatheredBare(seconds: number): Promise<number> {
      const begun = performance.now()
      let done = 0
      for (const end = begun + seconds * 1_000; performance.now() < end; done += 64)
        await gatherOnce(first)
      return done / ((performance.now() - begun) / 1_000)
    },
    async end() {
      await Promise.all(clients.map((client) => client.end()))
    },
  }
}
