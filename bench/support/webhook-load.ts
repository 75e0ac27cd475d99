/**
 * The process behind `bench/payments.ts` that plays Stripe: signed events, each sent at its own time. As in `paced-load.ts`,
 * a late answer delays no other event.
 */
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { percentile } from './rounds.ts'

export interface WebhookTask {
  readonly url: string
  readonly secret: string
  readonly rate: number
  readonly seconds: number
  /** Part of the ids of the events: each is new. */
  readonly run: string
}

export interface WebhookFigures {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
}

const WARM_UP_SECONDS = 1

function signedEvent(id: string, secret: string) {
  const created = Math.floor(Date.now() / 1_000)
  const body = JSON.stringify({
    id,
    object: 'event',
    type: 'customer.updated',
    created,
    data: { object: { id: 'cus_bench', object: 'customer', name: 'x'.repeat(2_000) } },
  })
  const signature = createHmac('sha256', secret).update(`${created}.${body}`).digest('hex')
  return { body, signature: `t=${created},v1=${signature}` }
}

async function post(url: string, agent: Agent, id: string, secret: string): Promise<void> {
  const { body, signature } = signedEvent(id, secret)
  const sent = request(`${url}/api/payments/webhooks/stripe`, {
    method: 'POST',
    agent,
    headers: { 'content-type': 'application/json', 'stripe-signature': signature },
  })
  sent.end(body)
  const [answer] = await once(sent, 'response')
  answer.resume()
  await once(answer, 'end')
  if (answer.statusCode !== 204) throw new Error(`an event was answered ${answer.statusCode}`)
}

async function send({ url, secret, rate, seconds, run }: WebhookTask): Promise<WebhookFigures> {
  const agent = new Agent({ keepAlive: true })
  const unmeasured = WARM_UP_SECONDS * rate
  const took: number[] = []
  const begun = performance.now()
  const sent: Promise<void>[] = []
  const one = async (n: number) => {
    await post(url, agent, `evt_${run}_${n}`, secret)
    if (n >= unmeasured) took.push(performance.now() - (begun + (n / rate) * 1_000))
  }
  while (sent.length < unmeasured + seconds * rate) {
    const due = Math.floor(((performance.now() - begun) / 1_000) * rate) + 1
    while (sent.length < Math.min(due, unmeasured + seconds * rate)) sent.push(one(sent.length))
    await delay(1)
  }
  await Promise.all(sent)
  agent.destroy()
  return {
    perSecond: took.length / seconds,
    p50Ms: percentile(took, 0.5),
    p99Ms: percentile(took, 0.99),
  }
}

const [task] = (await once(process, 'message')) as [WebhookTask]
process.send?.(await send(task))
process.disconnect()
