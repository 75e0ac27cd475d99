/** Shown where users would pay, on a service without a payment provider. */
export const NO_PAYMENTS = 'Payments are not available on this service.'
