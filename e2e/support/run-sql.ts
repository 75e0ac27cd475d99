/** Runs one statement and prints its rows as JSON, for databases that only a network namespace reaches. */
import { Client } from 'pg'

const [url = '', sql = ''] = process.argv.slice(2)
const client = new Client({ connectionString: url })
await client.connect()
const { rows } = await client.query(sql)
process.stdout.write(JSON.stringify(rows))
await client.end()
