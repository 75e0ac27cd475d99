import type { SitePageData } from '@homing/openapi/site'
import { PlanCards } from '../pricing/PlanCards.tsx'
import { AddressPanel } from './AddressPanel.tsx'
import { NameForm } from './NameForm.tsx'
import { Reasons } from './Reasons.tsx'

/** The page for visitors: what the service is, a domain to begin with, reasons, prices. */
export function LandingPage(data: SitePageData<'landing'>) {
  const { productName, zones, plans, address, origin, isSignedIn, canPay } = data
  return (
    <>
      <section className="hero">
        <div className="hero-text">
          <h1>A domain that follows your address</h1>
          <p className="lead">
            {productName} is dynamic DNS: you register a domain, your router reports each new
            address, and DNS answers with it a moment later.
          </p>
          <NameForm zones={zones} />
        </div>
        <AddressPanel address={address} origin={origin} zone={zones[0]} />
      </section>
      <Reasons />
      <section className="prices" aria-labelledby="prices-title">
        <h2 id="prices-title">Plans</h2>
        <PlanCards plans={plans} isSignedIn={isSignedIn} canPay={canPay} billing="month" />
        <p>
          <a href="/pricing">Compare the plans, by month and by year</a>
        </p>
      </section>
    </>
  )
}
