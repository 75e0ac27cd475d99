/** How Stripe answers: lists with cursors, and objects in place of ids with `expand`. */
import { sessionLines } from './checkout.ts'
import type { Params } from './form.ts'
import type { StripeObject } from './objects.ts'
import { texts, text, whole } from './params.ts'
import { invalid, missing } from './trouble.ts'
import type { StripeWorld } from './world.ts'

const LARGEST_PAGE = 100
const DEEPEST = 4

/** https://docs.stripe.com/api/pagination */
export function pageOf(
  all: readonly StripeObject[],
  params: Params,
  url: string,
): Record<string, unknown> {
  const limit = whole(params, 'limit') ?? 10
  if (limit < 1 || limit > LARGEST_PAGE)
    throw invalid('Invalid integer: limit must be between 1 and 100', 'limit')
  const [after, before] = [text(params, 'starting_after'), text(params, 'ending_before')]
  if (after !== undefined && before !== undefined)
    throw invalid('You may only specify one of these parameters: starting_after, ending_before.')
  const place = (id: string, param: string) => {
    const index = all.findIndex((each) => each.id === id)
    if (index < 0) throw missing('object', id, param, 400)
    return index
  }
  if (before !== undefined) {
    const end = place(before, 'ending_before')
    const start = Math.max(0, end - limit)
    return { object: 'list', url, has_more: start > 0, data: all.slice(start, end) }
  }
  const start = after === undefined ? 0 : place(after, 'starting_after') + 1
  return {
    object: 'list',
    url,
    has_more: all.length > start + limit,
    data: all.slice(start, start + limit),
  }
}

const wholeList = (data: unknown[], url: string) => ({ object: 'list', data, has_more: false, url })

/** Lists that an object has only when they are expanded. */
function hiddenList(world: StripeWorld, holder: Record<string, unknown>, field: string): unknown {
  const id = String(holder['id'])
  const name = `${String(holder['object'])}.${field}`
  if (name === 'invoice.payments')
    return wholeList(world.of('invoice_payment', id), `/v1/invoice_payments?invoice=${id}`)
  if (name === 'charge.refunds')
    return wholeList(world.of('refund', id), `/v1/charges/${id}/refunds`)
  if (name === 'customer.subscriptions')
    return wholeList(
      world.of('subscription', id).filter(({ status }) => status !== 'canceled'),
      `/v1/customers/${id}/subscriptions`,
    )
  if (name === 'checkout.session.line_items')
    return wholeList(
      sessionLines(world.need('checkout.session', id)),
      `/v1/checkout/sessions/${id}/line_items`,
    )
  return undefined
}

function expandOne(
  world: StripeWorld,
  target: unknown,
  path: readonly string[],
  full: string,
): void {
  const [field, ...rest] = path
  if (field === undefined || target === null || target === undefined) return
  if (Array.isArray(target)) {
    for (const each of target) expandOne(world, each, path, full)
    return
  }
  if (typeof target !== 'object')
    throw invalid(`This property cannot be expanded (${full}).`, 'expand')
  const holder = target as Record<string, unknown>
  if (!(field in holder)) {
    const hidden = hiddenList(world, holder, field)
    if (hidden === undefined)
      throw invalid(
        `This property cannot be expanded (${full}). You may want to try expanding 'data.${full}' instead.`,
        'expand',
      )
    holder[field] = structuredClone(hidden)
  }
  const value = holder[field]
  if (typeof value === 'string') {
    const found = world.any(value)
    if (found === undefined) throw invalid(`This property cannot be expanded (${full}).`, 'expand')
    holder[field] = structuredClone(found)
  }
  expandOne(world, holder[field], rest, full)
}

/** A copy of an object with ids replaced: https://docs.stripe.com/api/expanding_objects. */
export function expanded(world: StripeWorld, value: unknown, params: Params): unknown {
  const copy = structuredClone(value)
  for (const path of texts(params, 'expand') ?? []) {
    const parts = path.split('.')
    if (parts.filter((part) => part !== 'data').length > DEEPEST)
      throw invalid('You cannot expand more than 4 levels of a property.', 'expand')
    expandOne(world, copy, parts, path)
  }
  return copy
}
