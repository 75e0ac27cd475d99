/** Callers from many networks, as the api sees them behind a proxy that it believes. */
import { hash } from '@node-rs/argon2'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'

const BUSY_MS = 200

/** What the api is started with, so that it takes callers for whom they say they are. */
export const BEHIND_PROXY = {
  RATE_LIMITS: 'on',
  TRUST_PROXY: '127.0.0.1',
  // That callers are turned away is what is wanted here.
  LOG_LEVEL: 'error',
} as const

/** The n-th network of some 65,000, each a /24 of its own. */
export const networkOf = (n: number) => `10.${(n >> 8) & 255}.${n & 255}.7`

export interface Reply {
  readonly status: number
  readonly text: string
  readonly headers: Headers
  readonly ms: number
}

/** Posts a body as JSON, from an address, and again as long as the service is too busy to look at it at all. */
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

/** Runs `work` for 0 … count - 1, so many at a time. */
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

/** Makes accounts `<name>0`, `<name>1`, … at mail.test. */
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
