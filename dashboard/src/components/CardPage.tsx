/** The page of a visitor: header, one card, footer. Signing in, signing up and the links of mails use it. */
import type { ReactNode } from 'react'
import { hashOf } from '../routes.ts'
import { ColorSchemeSwitch } from '@homing/theme/parts/ColorSchemeSwitch.tsx'
import { HomeLink } from './HomeLink.tsx'
import { SiteFooter } from './SiteFooter.tsx'
import './card-page.css'

export interface PageLink {
  readonly label: string
  readonly href: string
}

export const LOGIN_LINK: PageLink = { label: 'Login', href: hashOf('login') }

interface CardPageProps {
  readonly children: ReactNode
  /** The link in the header. `null` shows none. */
  readonly link?: PageLink | null
}

export function CardPage({ children, link = LOGIN_LINK }: CardPageProps) {
  return (
    <div className="card-page">
      <header className="card-page-header">
        <HomeLink />
        {link && (
          <a className="card-page-link" href={link.href}>
            {link.label}
          </a>
        )}
        <ColorSchemeSwitch />
      </header>
      <main tabIndex={-1}>
        <div className="card card-page-card">{children}</div>
      </main>
      <SiteFooter />
    </div>
  )
}
