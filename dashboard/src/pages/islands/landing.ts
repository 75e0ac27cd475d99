/** The islands of the landing page. Without them, the page works too: nothing to copy with, and the form is a form. */
import { offerCopy } from './copy-address.ts'
import { showAvailability } from './name-availability.ts'

offerCopy()
showAvailability()
