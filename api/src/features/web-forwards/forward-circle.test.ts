/** Domains that would be forwarded to each other in a circle. */
import { describe, expect, test } from 'vitest'
import { useForwardWorld } from '../../../test/support/web-forward-world.ts'

const t = useForwardWorld()

describe('domains that are forwarded to each other in a circle', () => {
  const to = ({ fqdn }: { readonly fqdn: string }) => ({ target_url: `http://${fqdn}/` })

  test('are refused, also while one of the forwards is paused', async () => {
    const second = await t.domain(t.ada, 'second')
    const first = await t.forwarded(t.ada, 'circle', to(second))
    const body = { domain_id: second.id, ...to(first) }
    const detail = `The target leads back to ${second.fqdn}. While ${second.fqdn} is forwarded, its name leads to the forwarding server and not to your own. Use the address or another name of your server.`
    const refusal = { status: 422, code: 'target-not-allowed', detail }
    expect(await t.refused(t.ada, 'POST', '/api/webforward', body)).toMatchObject(refusal)
    await t.call(t.ada, 'PUT', `/api/webforward/${first.id}`, { is_active: false })
    expect(await t.refused(t.ada, 'POST', '/api/webforward', body)).toMatchObject(refusal)
  })

  test('are refused when more than five redirects lead back', async () => {
    const start = await t.domain(t.ada, 'start')
    let last: { readonly fqdn: string } = start
    for (let n = 0; n < 8; n += 1) last = await t.forwarded(t.ada, `step${n}`, to(last))
    const body = { domain_id: start.id, ...to(last) }
    const problem = await t.refused(t.ada, 'POST', '/api/webforward', body)
    expect(problem).toMatchObject({ status: 422, code: 'target-not-allowed' })
  })

  test('are refused for one of two accounts that close the circle at the same time', async () => {
    const eve = await t.world.person(t.fresh('eve'), 'pro')
    const [left, right] = [await t.domain(t.ada, 'left'), await t.domain(eve, 'right')]
    const answers = await Promise.all([
      t.call(t.ada, 'POST', '/api/webforward', { domain_id: left.id, ...to(right) }),
      t.call(eve, 'POST', '/api/webforward', { domain_id: right.id, ...to(left) }),
    ])
    const statuses = answers.map(({ status }) => status)
    expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 422])
  })
})
