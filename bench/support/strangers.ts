/** Callers from many networks, as the api sees them behind a trusted proxy. */
import { hash } from '@node-rs/argon2'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'

const BUSY_MS = 200

/** The api's settings that make it trust the addresses in the proxy's headers. */
export const BEHIND_PROXY = {
  RATE_LIMITS: 'on',
  TRUST_PROXY: '127.0.0.1',
  // Refused callers are intended here, so do not log them.
  LOG_LEVEL: 'error',
} as const

/** The n-th of about 65,000 networks, each a separate /24. */
export const networkOf = (n: number) => `10.${(n >> 8) & 255}.${n & 255}.7`

export interface Reply {
  readonly status: number
  readonly text: string
  readonly headers: Headers
  readonly ms: number
}

/** Posts a body as JSON from an address, and repeats the request while the service is overloaded. */
export async function insist(ip: string, url: string, body: object): Promise<Reply> {
  for (;;) {
    const reply = await postFrom(ip, url, body)
    if (reply.status !== 503) return reply
    await delay(BUSY_MS)
  }
}

async function postFrom(ip: string, url: string, body: object): Promise<Reply> {
  const begun = performance.now()
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': ip },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  const { status, headers } = answer
  return { status, text, headers, ms: performance.now() - begun }
}

/** Runs `work` for 0 … count - 1, with limited concurrency. */
export async function forEach(
  count: number,
  atOnce: number,
  work: (n: number) => Promise<void>,
): Promise<void> {
  let next = 0
  const worker = async () => {
    while (next < count) await work((next += 1) - 1)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

/** Creates accounts `<name>0`, `<name>1`, … at mail.test. */
export async function insertPeople(
  client: Client,
  { name, password, count, isVerified }: People,
): Promise<void> {
  await client.query(
    `insert into users (username, email, password_hash, email_verified_at)
     select $1 || n, $1 || n || '@mail.test', $2, case when $3 then now() end
     from generate_series(0, $4 - 1) n`,
    [name, await hash(password), isVerified, count],
  )
}

export interface People {
  readonly name: string
  readonly password: string
  readonly count: number
  readonly isVerified: boolean
}
