/** The island of the pricing page. Without it, the switch works too, but the URL does not keep it. */
import { keepBilling } from './keep-billing.ts'

keepBilling()
