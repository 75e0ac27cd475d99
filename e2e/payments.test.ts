/**
 * Plans that are sold, on one service with payment servers of our own. Each group goes on with the service of the one before:
 * the guide needs the time of the wall, the journey moves the clock, and the books are those of all three.
 */
import { testGuides } from './payments/guide.ts'
import { testJourney } from './payments/journey.ts'
import { testLedger } from './payments/ledger.ts'
import { useShop } from './support/payments.ts'

// The test of the log needs lines of every level.
const shop = useShop({ LOG_LEVEL: 'debug' })

testGuides(shop)
testJourney(shop)
testLedger(shop)
