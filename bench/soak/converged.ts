/** Checks that DNS answers match the database after the updates have ended. */
import { Client } from 'pg'
import { openAsker, questionFor } from '../support/dns-question.ts'

const LIMIT_MS = 10_000

/** Names whose answer still differs from the address in the database 10 s after the last update. */
export async function differing(databaseUrl: string, port: number): Promise<string[]> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query<{ fqdn: string; address: string }>(
    'select fqdn, host(record_ipv4) as address from domains',
  )
  await client.end()
  const asker = await openAsker(port)
  const limit = performance.now() + LIMIT_MS
  const wrong: string[] = []
  for (const { fqdn, address } of rows) {
    const question = questionFor(fqdn)
    let answered = await asker.ask(question)
    while (answered !== address && performance.now() < limit) answered = await asker.ask(question)
    if (answered !== address) wrong.push(`${fqdn}: ${answered} and not ${address}`)
  }
  asker.close()
  return wrong
}
