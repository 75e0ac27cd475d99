/** The page of a visitor: header, one card, footer. Signing in, signing up and the links of mails use it. */
import type { ReactNode } from 'react'
import { ColorSchemeSwitch } from './ColorSchemeSwitch.tsx'
import { HomeLink } from './HomeLink.tsx'
import { SiteFooter } from './SiteFooter.tsx'
import './card-page.css'

export function CardPage({ children }: { readonly children: ReactNode }) {
  return (
    <div className="card-page">
      <header className="card-page-header">
        <HomeLink />
        <ColorSchemeSwitch />
      </header>
      <main tabIndex={-1}>
        <div className="card card-page-card">{children}</div>
      </main>
      <SiteFooter />
    </div>
  )
}
