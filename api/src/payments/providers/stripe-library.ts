/**
 * Stripe's SDK, loaded when it is first used: it is a tenth of what the API loads at its start, and a service that takes
 * no cards does not need it.
 */
import { createRequire } from 'node:module'
import type { Stripe } from 'stripe'

const load = createRequire(import.meta.url)

/** The class of the client, with the classes of its errors. Node keeps what it loaded. */
export const stripeLibrary = () => load('stripe') as typeof Stripe
