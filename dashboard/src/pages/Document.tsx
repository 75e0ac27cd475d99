/** What all public pages share: the head, the header and the footer. */
import type { SiteFrame, SitePageName } from '@homing/openapi/site'
import type { ReactNode } from 'react'
import { HomeLink } from '../components/HomeLink.tsx'
import { SiteFooter } from '../components/SiteFooter.tsx'
import type { PageAssets } from './assets.ts'

interface SiteHeaderProps {
  readonly frame: SiteFrame
  readonly page: SitePageName
}

function SiteHeader({ frame: { productName, isSignedIn }, page }: SiteHeaderProps) {
  return (
    <header className="site-header">
      <div className="site-header-inner">
        <HomeLink name={productName} />
        <nav aria-label="Main">
          <a
            className="nav-link"
            href="/pricing"
            aria-current={page === 'pricing' ? 'page' : undefined}
          >
            Pricing
          </a>
          {isSignedIn ? (
            <a className="button" href="/#dashboard">
              Dashboard
            </a>
          ) : (
            <>
              <a className="nav-link" href="/login">
                Login
              </a>
              <a className="button" href="/register">
                Register
              </a>
            </>
          )}
        </nav>
      </div>
    </header>
  )
}

interface DocumentProps extends SiteHeaderProps {
  readonly title: string
  readonly description: string | undefined
  readonly assets: PageAssets
  readonly islands: readonly (keyof PageAssets)[]
  readonly children: ReactNode
}

export function Document(props: DocumentProps) {
  const { frame, page, title, description, assets, islands, children } = props
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" content="#f7f8fa" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#0f1318" media="(prefers-color-scheme: dark)" />
        {/* It runs before the first paint, and before anything of the page is shown. */}
        <script src={assets.start} />
        <title>{title}</title>
        {description !== undefined && <meta name="description" content={description} />}
        <link rel="stylesheet" href={assets.style} />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        {islands.map((island) => (
          <script key={island} type="module" src={assets[island]} />
        ))}
      </head>
      <body>
        <a className="skip-link" href="#content">
          Skip to content
        </a>
        <SiteHeader frame={frame} page={page} />
        <main id="content" tabIndex={-1}>
          {children}
        </main>
        <SiteFooter name={frame.productName} />
      </body>
    </html>
  )
}
